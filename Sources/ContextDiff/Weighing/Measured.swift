/// The weights that the model leaves open, in bits: binary logarithms on the model's scale.
///
/// A weight that *is* something stands for the whole prior of a hypothesis, before its scalars; one that something
/// *costs* or *has more* is added to a prior.
enum Measured {
  /// What each scalar costs that a hypothesis does not predict.
  static let scalar = -2.0
  /// What a typed newline costs beyond another typed character: it is one key among many.
  static let lineBreak = -1.3
  /// Is a new line with the indentation of the line before: less than erasing one character, more than
  /// erasing all that follows the indentation.
  static let indented = -0.2
  /// The same where the session never saw one, and the blanks may as well be left over from the old line.
  static let indentedUnseen = -3.0
  /// Is a new line with the same item mark as the line before, which may also be that line erased up to the mark:
  /// by trial on what editors' own tests have (`OtherSystemsTests`).
  static let continued = -5.0
  /// What a new line has more after a line of nothing but a closing bracket.
  static let closedBlock = 2.5
  /// What a new line costs after a line of blanks alone.
  static let blankLine = -2.5
  /// Is an insertion of several characters at once: a completion, dictation, an unknown pasteboard.
  static let phrase = 0.45
  /// What each of the first `phraseScalars` scalars of such a text costs besides: a short one is likelier.
  static let phraseScalar = -0.7
  static let phraseScalars = 4
  /// The length in scalars above which an insertion is long, longer than a word that an input method composed, and what a
  /// long one costs where the pasteboard is known to hold another text.
  static let longText = 8
  static let longUnpasted = -3.0
  /// What it costs that such a text ends with a terminator, where the sentence before may be seen instead.
  static let wholeSentence = -2.0
  /// What it costs that only the last sentence or line of such a text is seen.
  static let part = -4.2
  /// Is the paste of a selection over itself.
  static let restored = -3.9
  /// What backspacing has more where the last edit backspaced too.
  static let goingOn = 1.0
  /// Is a word or a line erased at once; the model erases by characters only.
  static let erasedRun = -2.0
  /// The same in a session, of a word: 20 of 8,472 in the training half.
  static let erasedWord = -4.4
  /// The same in a session, of more than a word: none of 8,472.
  static let erasedWords = -9.0
  /// What it costs that whole lines go at once.
  static let erasedLines = -10.0
  /// What a deletion back into unseen text costs beyond an insertion of which only the end is seen.
  static let erasedUnseen = -4.0
  /// What it costs that text was erased and the same text typed again, beyond the deletion of all text between.
  static let erasedAndTyped = -6.0
  /// Is text left of the caret exchanged, nothing being selected (autocorrection, conversion).
  static let exchanged = -4.0
  /// Is such a conversion of letters to kana, or of kana to a word: there is little choice, so scalars cost nothing.
  static let converted = -3.0
  /// Is one character erased on each side of the caret: ½.
  static let erasedBothSides = -1.0
  /// Is an exchange of up to two scalars on either side of the caret: 1, over the eight ranges there are.
  static let exchangedOver = -3.0
  /// Is a pair typed with the caret between: ½.
  static let caretInside = -2.0
  /// Is a text typed of which the rest is selected, an inline completion: ½.
  static let completion = -2.0
  /// What it costs that the caret, or the selection, stands before all inserted text.
  static let caretBefore = -10.0
  /// The same where a selection was exchanged.
  static let caretBeforeOver = -2.0
  /// What it costs that all inserted text is selected, as after a drop.
  static let allSelected = -2.0
  /// What it costs that a deletion over the caret takes more than one character on a side.
  static let erasedRunOver = -6.0
  /// What an exchange over the caret costs that takes the newline at the line's end, and a completion that begins with
  /// one: in 71 recordings of hosts 17 of 17 such pairs are carets that went to the next line, and 61 of 65 selections.
  static let exchangedJoining = -6.0
  static let completedBreak = -6.0
  /// The number of scalars above which an edit over the caret, or beside a completion, is wide.
  static let wide = 4
  /// What an inline completion costs that also removes text, and is wide beside the selection.
  static let completionWide = -24.0
  /// What a wide exchange over the caret costs, and an inline completion that is wide beside its selection.
  static let exchangedWide = -6.0
  /// How many scalars come right of the caret at most with a pair, such as brackets: what closes it.
  static let pair = 2
  /// What it costs that more come there.
  static let template = -6.0
  /// Is a selection changed, or enclosed, that stays selected: ½ each.
  static let keptSelection = -0.5
  /// What it costs that such a selection becomes longer or shorter.
  static let changedLength = -4.0
  /// What each removed scalar costs that was not selected, beyond the first two.
  static let goneScalar = -1.0
  /// What a selection elsewhere has more where the window is not `full` and nothing is remembered.
  static let selectedElsewhere = 1.0
  /// What it costs that the removed selection went on beyond the window.
  static let selectedBeyond = -3.0
  /// What a selection with a newline costs under the `line` window.
  static let selectedBreak = -6.0
  /// What a tap has more under the `line` window.
  static let lineTap = 0.5
  /// What a new line has more where the window may show one line alone.
  static let lineBroken = 1.0
  /// What it costs there after a line of one character, which may as well have been erased.
  static let lineBrokenShort = -1.5
  /// What a submission costs under the `line` window.
  static let submittedLine = -2.0
  /// Is an undo or redo, by a shortcut, of an edit that is not remembered; its scalars cost besides.
  static let retracedUnseen = -1.0
  /// Is the same, without scalars, to a state that was seen lately.
  static let returned = 0.5
  /// Is the same to a state since which there was nothing but undo and redo.
  static let reversed = 2.0
  /// What it costs that a shortcut did what looks like an edit made by a key.
  static let retracedEdit = -2.0
  /// What joining a line that was not seen costs.
  static let joinedLine = -0.5
  /// What it costs that empty lines were erased before, which a `line` window does not show.
  static let unseenErasure = -1.0
  /// What it costs that the host reports another caret position than the hypothesis has, or an empty field where it
  /// leaves text.
  static let misplaced = -24.0
  /// What an act costs that few hosts do on the key, hardly any, or none.
  static let seldomByKey = -3.0
  static let hardlyByKey = -6.0
  static let neverByKey = -12.0
  /// The most that an act costs by its key, where that is the last of several: an earlier one may have done it.
  ///
  /// In recordings of hosts 15 of 64 pairs that were told after several keys, the last one a caret key, are edits.
  static let byEarlierKey = -2.0
  /// What one typed character, or an exchange, costs without a key: an input method more often puts in longer text.
  ///
  /// By trial on recordings of hosts, and on words composed in Vietnamese and Chinese.
  static let byInputMethod = -1.0
  /// What an insertion or replacement costs just after the host reset its input method; some hosts reset it at
  /// nearly every key.
  static let typedAtReset = -1.0
  /// What an edit has more that the input method made within the text it composes.
  static let editsComposition = 6.0
  /// What an edit has more that replaces just the text being composed, whoever is said to have made it: of 334 such
  /// edits in input methods' own tests 329 are read so with it, and 240 without.
  static let exchangesComposition = 3.0
  /// What it costs that there was a selection which the host did not show.
  static let unseenSelection = -3.0
  /// Is the cut of such a selection, of a host that may show selections, where the pasteboard now holds the removed
  /// text.
  static let unseenCut = -4.0
  /// Is a paste of which nothing but newlines or blanks is seen.
  static let pastedBreak = -2.0
  /// What it costs, where the windows are cut differently, that a selection was replaced by the same text and not
  /// given up.
  static let sameText = -3.0
  /// Is a paste of a text that was selected before and may be on the pasteboard.
  static let clip = -3.0
  /// What it costs that one space more goes or comes.
  static let space = -3.0
  /// What a submission has more: all text goes at once, so there is one target only.
  static let clearedField = 0.8
  /// What a submission costs under `paragraph`, which may hide text that is left.
  static let submittedUnderCut = -1.0
  /// The share of the places next to the caret among all places.
  static let nextPlace = -2.0
  /// Is a window that the host cut anew, nothing having been done.
  static let shifted = 1.0
  /// What that costs where the empty line below the caret's is no longer shown: in recordings of GTK 3, 5 of 5 such pairs
  /// were deletions.
  static let shiftedBelow = -2.0
  /// What it has more that the neighbouring line which a host shows is as predicted, and what it costs that it is another:
  /// by trial on recordings of GTK 3 and Firefox.
  static let sameNeighbour = 3.0
  static let otherNeighbour = -8.0
  /// What a cut costs that is not where the rule has it.
  static let recut = -6.0
  /// What a side costs that shows nothing where there is text.
  static let hidden = -8.0
  /// What a window shift costs, beyond the deletion of all that `before` showed, where that shows nothing now.
  static let hiddenNotErased = -4.0
  /// What a tap costs from an end of the document to the same end.
  static let anchored = -8.0
  /// What a hypothesis costs that contradicts the session's memory where that is doubtful.
  static let memoryIsDoubted = -2.0
  /// The weight below which the winner puts the session's memory in question.
  static let improbable = -12.0
  /// How far, in bits, below the likeliest hypothesis another one counts as a coincidence: four scalars' worth.
  static let coincidence = 4 * scalar
  /// Is an act that no reading predicts, in a session.
  ///
  /// In the training half, through the sentence window and uncut, 30 certain edits removed text, inserted no single
  /// character, and were no more than a coincidence likelier than this: 16 of them were wrong, of 1,007 others none.
  /// So were 3 of the 43 selections that followed an undo or a redo.
  static let unpredicted = improbable
  /// How many scalars two windows must share to count as overlapping cuts of one text: shorter phrases come twice in
  /// a text.
  static let overlaid = 10
  /// The number of scalars above which a selection is long: the caret then leaves it for one of its ends.
  static let longSelection = 24
}

// MARK: - What a session knows

extension Measured {
  // Counted by Tests/ContextDiffTests/Recordings/counts.py on the training half.

  /// An undo after anything but undo and redo: 114 of 7,965.
  static let undone = -1.8
  /// A redo after an undo: 69 of 283.
  static let redone = 2.2
  /// A redo after a redo: 22 of 91.
  static let redoneFurther = 2.2
  /// An undo after a redo: 7 of 91.
  static let undoneAgain = 0.6
  /// What everything but undo and redo costs after an undo: 62 of 283; and after a redo: 62 of 91.
  static let elseAfterUndo = -2.2
  static let elseAfterRedo = -0.6
  /// A redo after anything but undo and redo: none of 133.
  static let redoneLater = -5.0

  // Made by trial on the training half, and on 18 longer recordings made by the same script.

  /// An undo after an undo: 152 of 283, which would be 3.4; less, because what looks like a redo as well mostly is
  /// one: an undo mistaken for an edit leaves a step that never was.
  static let undoneFurther = 1.9

  /// What each undo step more costs that is undone in the same pair.
  static let undoFarther = -2.0
  /// What it costs that only one of two steps is undone which browsers undo together (`Bond.firm`).
  static let undoBond = -3.0
  /// What it costs that a part of a run is undone, up to where another run may begin.
  static let undoToBreak = -1.5
  /// What it costs that any other part of a run is undone.
  static let undoPart = -4.5
  /// What it costs that a host undoes words, or single edits, rather than runs, and what a whole run costs there.
  ///
  /// By trial on simulated hosts: all recordings are of browsers, whose readings are the same with and without.
  static let groupsWords = -6.0
  static let groupsEdits = -6.0
  static let undoWholeRun = -5.0
  /// The most that each of the three comes to cost: a few undos can change what is believed of the host at any time.
  static let groupsLeast = -12.0
  /// What it costs that the caret is elsewhere than where the step was made.
  static let undoPlace = -2.5
  /// What it costs that a selection does not come back with its text: browsers bring it, 36 of 336 undos
  /// in GTK 3 and 4 did, and none of 320 in Qt.
  static let undoSelectionLost = -3.0
  /// What it costs that the window is cut anew.
  static let undoRecut = -2.0
  /// What the undo costs of an edit from before the session, or one that it does not remember.
  static let undoUnknown = -4.0
  /// Is such an undo of an edit at the caret.
  static let undoUnknownHere = -7.5
  /// What a redo of an edit that is not remembered costs beyond an undo.
  static let redoUnknown = -7.0
  /// What kana cost that come at once, where they were composed from letters before.
  static let kanaAtOnce = -4.0
  /// What it costs that an unknown undo selects text where nothing was selected.
  static let undoSelectsAnew = -0.5
  /// What it has more where text was selected before.
  static let undoSelectsAgain = 3.0
  /// What an undo or redo in another stretch of text costs, where there is a step here.
  static let undoElsewhere = -1.5
  /// What each stretch costs that was left later, and has a step of its own.
  static let undoNextStretch = -2.0
  /// What a tap costs to a text that only looks like what the history would bring back.
  static let echo = -7.0
  /// The same for the history of another stretch.
  static let echoElsewhere = -10.0
  /// Is the conversion of what was typed last to kana or a word.
  static let composed = 2.0
  /// What a tap to one remembered place costs beyond any tap.
  static let rememberedPlace = -4.5
  /// The winner's weight below which other stretches of text are searched.
  static let elsewhereMatters = -4.0
  /// What a hypothesis costs by which the session's memory is wrong.
  static let memoryIsWrong = -8.0
  /// The weight, relative to the likeliest history's, below which a history is dropped from the beam.
  static let beam = -5.5
}

// MARK: - What a session concludes of its host

extension Measured {
  // By trial on recordings of hosts (docs/Architecture.md, Weights).

  /// How likely each window is at first, at `Window.place`: without evidence `sentence`, as for a single pair, where
  /// nothing speaks against that.
  static let windowUntold = SIMD4(2.0, 0, 0, 0)
  /// The same where `full` is given as evidence: the host makes a plain cut; to show a line at a time is one too.
  ///
  /// Most toolkits on Linux show a line (GTK 3, Qt, Firefox). A field of single lines looks the same by both, and stays
  /// `full`.
  static let windowOfFull = SIMD4(-64.0, -64, -0.5, 0)
  /// What `full` loses by a pair of short texts with nothing in common at their ends.
  static let windowOtherText = 6.0
  /// How many bytes a host that limits its plain cut shows at least of a longer text: Wayland's show some 4,000.
  static let leastCut = 512
  /// What `line` loses by a snapshot of several lines, which may be those of an unseen selection.
  static let windowUnseenLines = 3.0
  /// The most that one pair adds.
  static let windowMost = 12.0
  /// How many pairs, and how many bits before all other windows, settle a window; without such a lead, how many pairs
  /// that may tell one from another.
  static let windowPairs = 10
  static let windowSettled = 8.0
  static let windowTelling = 32
  /// How many of those settle it at least where `full` was told: what is typed looks alike by each window.
  static let windowTellingOfFull = 8
  /// How many bits the likeliest window must lead by for the session to go over to it; where `full` was told, and the
  /// choice is between two.
  static let windowTurns = 4.0
  static let windowTurnsOfFull = 1.0
  /// How many of the user's edits with the cause `other` a host must have told, at first and for each one with
  /// `inputMethod`, for its causes to count.
  static let causesTelling = 4
}
