/// The weights that the model leaves open, in bits: binary logarithms on the model's scale.
///
/// A *prior* is the weight of a hypothesis before its scalars' cost (`scalar`) and the evidence; what is *added* goes
/// on top of a prior. `|` is the caret, brackets are the selection's ends, `⏎` a newline.
///
/// Where a constant says nothing of what it was counted on, it was made by trial on the recordings and scopes that
/// docs/Architecture.md names under Weights.
enum Measured {
  /// Added for each scalar that a hypothesis inserts, or that the new window shows and the hypothesis does not predict.
  static let scalar = -2.0
  /// How many scalars of unknown text count at most: more make no difference between chance and certainty.
  static let mostUnknown = 32
  /// Added to the prior of a typed character where that is a newline: Return is one key among many; but not where a newline
  /// was just erased: of 107 characters typed then, in eight recordings of people's editing, 34 were newlines.
  static let lineBreak = -1.3
  /// The prior of Return that indents as an editor does, `  ab|` → `  ab⏎  |`, or repeats the line's item mark, or the next
  /// number, and the blank behind it where the line is still shown, `- a|` → `- a⏎- |`: less than that of one erased character, more than that of
  /// erasing all behind the indentation.
  static let indented = -0.2
  /// The same in a session that never saw its editor indent: the blanks may as well be left over from the old line.
  static let indentedUnseen = -3.0
  /// The prior of Return that repeats any other item mark, or one where the new line alone is shown, `- a|` → `- |`; erasing
  /// all behind the mark looks the same: by trial on what editors' own tests have (`OtherSystemsTests`).
  static let continued = -5.0
  /// Added to a newline's prior after a line that is a closing bracket alone, `}|`.
  static let closedBlock = 2.5
  /// Added to a newline's prior after a line of blanks alone.
  static let blankLine = -2.5
  /// The prior of several characters inserted at once: a completion, dictation, an unknown pasteboard.
  static let phrase = 0.45
  /// Added to `phrase` for each of the first `phraseScalars` scalars, unless an input method may have composed them.
  static let phraseScalar = -0.7
  static let phraseScalars = 4
  /// The number of scalars above which an inserted text is long: more than a word that an input method composes.
  static let longText = 8
  /// Added to the prior of inserting a long text where the pasteboard is known to hold another.
  static let longUnpasted = -3.0
  /// Added to the prior of inserting a sentence behind a single character: the character may have been erased, so that
  /// the sentence before it is shown.
  static let wholeSentence = -2.0
  /// The same where the pasteboard is known, and not that sentence.
  static let wholeSentenceUnpasted = 2 * wholeSentence
  /// Added to `phrase` where the window shows only the last sentence or line of the text.
  static let part = -4.2
  /// The prior of a selection copied and pasted over itself.
  static let restored = -3.9
  /// Added to the prior of erasing one character left of the caret where the last edit was an erasure that ended at the
  /// caret: 357 of 584 such edits in the training half, and 3 erased more than one.
  static let goingOn = 1.0
  /// The weight of a history, relative to the likeliest one's, down to which its last erasure counts as the last edit.
  static let erasingHistory = -2 * goingOn
  /// The prior, without a session's memory, of a word or a line erased at once; the model erases by characters alone.
  static let erasedRun = -2.0
  /// The same in a session, of a word: 20 of 8,472 in the training half.
  static let erasedWord = -4.4
  /// The same in a session, of more than a word: none of 8,472.
  static let erasedWords = -9.0
  /// Added to any of these three where lines go, up to an earlier line's end: a caret that moved there shows the same.
  static let erasedLines = -10.0
  /// Added to the weight of an insertion of which only the end is seen, for the deletion that looks the same and
  /// reaches back into unseen text.
  static let erasedUnseen = -4.0
  /// Added to the weight of a deletion back to text like that now shown, for inserting the same text again.
  static let erasedAndTyped = -6.0
  /// The prior of text left of the caret exchanged, nothing being selected: an autocorrection.
  static let exchanged = -4.0
  /// The prior of letters converted to kana, or kana to a word; scalars cost nothing, for there is little choice.
  static let converted = -3.0
  /// The prior of text inserted with the caret in it, `a|` → `a{|}`.
  static let caretInside = -2.0
  /// The prior of text inserted with a part of it selected, an inline completion: `e|` → `ex[ample]`.
  static let completion = -2.0
  /// Added to `caretInside` where the caret stands before all of the inserted text.
  static let caretBefore = -10.0
  /// The same where the inserted text replaced a selection, or what was composed.
  static let caretBeforeOver = -2.0
  /// Added to `completion` where all of the inserted text is selected, as after a drop.
  static let allSelected = -2.0
  /// Added to `Model.erasedBothSides` where more than one character goes on a side.
  static let erasedRunOver = -6.0
  /// Added to an exchange over the caret that takes the newline at the line's end, and to a completion whose selection
  /// begins with one: in 71 recordings of hosts 17 of 17 such pairs are carets that went to the next line, and 61 of 65
  /// selections.
  ///
  /// `completedBreak` is also added to the prior of a kept selection that grows by a newline: 29 of 29 such selections
  /// in 66 recordings go on over a line's end.
  static let exchangedJoining = -6.0
  static let completedBreak = -6.0
  /// The number of scalars above which an edit over the caret, or text beside a completion's selection, is wide.
  static let wide = 4
  /// Added to the prior of a wide completion that also removes text.
  static let completionWide = -24.0
  /// Added to the prior of a wide exchange over the caret, of a wide completion that removes nothing and, under
  /// `sentence`, of text removed beside a selection.
  static let exchangedWide = -6.0
  /// How many scalars a pair such as brackets puts right of the caret at most.
  static let pair = 2
  /// Added to `caretInside` where more than `pair` scalars come right of the caret, or where they may be the rest of another
  /// line.
  static let template = -6.0
  /// The prior of a selection changed, `[ab]` → `[AB]`, or enclosed, `[ab]` → `"[ab]"`, that stays selected.
  static let keptSelection = -0.5
  /// Added to `keptSelection` where the selection becomes longer or shorter.
  static let changedLength = -4.0
  /// Added for each removed scalar that was not selected, beyond the first `goneFree`.
  static let goneScalar = -1.0
  static let goneFree = 2
  /// How many removed scalars count at most where nothing is put in.
  ///
  /// A command that erases all between two brackets, or to a line's end, takes any number: by trial on 219 erasures to
  /// both sides of the caret in editors' own tests, of which 55 were read as taps while every scalar counted.
  static let mostGone = 10
  /// Added to the prior of a selection in unseen text where the window is not `full` and nothing is remembered.
  static let selectedElsewhere = 1.0
  /// Added where the removed selection went on beyond the window.
  static let selectedBeyond = -3.0
  /// Added to the prior of a selection in unseen text that holds a newline, under the `line` window.
  static let selectedBreak = -6.0
  /// Added to the prior of a tap under the `line` window.
  static let lineTap = 0.5
  /// Added to the prior of Return without a selection where the window may show the caret's line alone.
  static let lineBroken = 1.0
  /// Added besides where one character stood left of the caret: it may as well have been erased.
  static let lineBrokenShort = -1.5
  /// Added to the prior of a submission under the `line` window.
  static let submittedLine = -2.0
  /// The prior of an undo or redo, by a shortcut, of an edit that is not remembered.
  static let retracedUnseen = -1.0
  /// The weight of an undo or redo by a shortcut that brings a state back which was seen lately; scalars cost nothing.
  static let returned = 0.5
  /// The same for a state since which there was nothing but undo and redo.
  static let reversed = 2.0
  /// The same for the other of the two, where one of what it reverses may have been an edit; an estimate.
  static let returnedOther = 0.0
  /// Added to the weight of an edit, for the undo or redo by a shortcut that looks like it.
  static let retracedEdit = -2.0
  /// Added to the prior of an erasure that joins an unseen line.
  static let joinedLine = -0.5
  /// Added to the prior of an erasure that takes empty lines above the caret, too, which a `line` window does not show.
  static let unseenErasure = -1.0
  /// Added where a hypothesis puts the caret elsewhere than the host reports it, or leaves text in a field that the
  /// host reports as empty.
  static let misplaced = -24.0
  /// Added to the weight of an act that few hosts do on the key, hardly any, or none.
  static let seldomByKey = -3.0
  static let hardlyByKey = -6.0
  static let neverByKey = -12.0
  /// The least that a key adds where it is the last of several: an earlier one may have done the act.
  ///
  /// In recordings of hosts 15 of 64 pairs that were told after several keys, the last one a caret key, are edits.
  static let byEarlierKey = -2.0
  /// Added to one typed character, or an exchange, where no key went to the host: an input method more often puts in
  /// longer text.
  ///
  /// By trial on recordings of hosts, and on words composed in Vietnamese and Chinese.
  static let byInputMethod = -1.0
  /// Added to an insertion or replacement just after the host reset its input method, as some do at nearly every key.
  static let typedAtReset = -1.0
  /// Added to an edit by the input method within the text that it composes.
  static let editsComposition = 6.0
  /// Added to an edit that replaces, or takes away, just the text being composed, whoever is said to have made it: of 334
  /// replacements in input methods' own tests 329 are read so with it, and 240 without.
  static let exchangesComposition = 3.0
  /// Added to an act upon a selection that the host did not show.
  static let unseenSelection = -3.0
  /// The prior of cutting such a selection, on a host that is not known to hide selections, where the pasteboard now
  /// holds the removed text.
  static let unseenCut = -4.0
  /// The prior of a paste of which nothing but newlines or blanks is seen.
  static let pastedBreak = -2.0
  /// Added to the prior of a paste of which nothing is seen that the old window did not show: the same text twice.
  ///
  /// By trial on simulated windows shorter than the paste.
  static let pastedTwice = -8.0
  /// Added to the prior of a selection replaced by the same text, where the two windows are cut differently: it may
  /// have been given up instead.
  static let sameText = -3.0
  /// The prior of pasting a text that was selected before, the pasteboard not being known.
  static let clip = -3.0
  /// Added where one adjacent space more goes with a cut or erased selection, or comes with a paste.
  static let space = -3.0
  /// Added to the prior of a submission: all text goes at once, so there is one target only.
  static let clearedField = 0.8
  /// Added to the prior of a submission under `paragraph`, which may hide text that is left.
  static let submittedUnderCut = -1.0
  /// Added to the prior of a moved caret for a place next to the old one: the share of those places among all.
  static let nextPlace = -2.0
  /// The prior of a window shift: the host cut the same text elsewhere, and nothing was done.
  static let shifted = 1.0
  /// Added to `shifted` where the empty line below the caret's is no longer shown: in recordings of GTK 3, 5 of 5 such
  /// pairs were deletions.
  static let shiftedBelow = -2.0
  /// Added where the neighbouring line that a host shows is as the hypothesis predicts, and where it is another:
  /// by trial on recordings of GTK 3 and Firefox.
  static let sameNeighbour = 3.0
  static let otherNeighbour = -8.0
  /// Added for a side of the window that is cut elsewhere than its rule says.
  static let recut = -6.0
  /// Added to a selection of the visible text and more, where the window may be cut anywhere.
  static let recutSelection = recut / 2
  /// The same through the `line` window, because a host of lines shows each whole: by trial on the training half of the
  /// recordings of hosts, which it reads by two to three pairs better.
  static let recutLine = -12.0
  /// The same of a move where both windows are shorter than any that a host cuts (`leastCut`): of 3 carets that were said
  /// to have moved in a line cut elsewhere, 3 had gone to another line that ends, or begins, alike.
  static let recutShortLine = -128.0
  /// Added for a side that shows nothing where the hypothesis has text.
  static let hidden = -8.0
  /// Added to the weight of the deletion of all that `before` showed, for the window shift that shows nothing there.
  static let hiddenNotErased = -4.0
  /// Added to the prior of an act that contradicts an end of the document seen before, such as a tap out of sight although
  /// both windows show the document's start.
  static let anchored = -8.0
  /// The weight of other text, relative to the remembered text's, after a pair that leaves the memory in doubt
  /// (`Memory.seam`).
  static let memoryIsDoubted = -2.0
  /// How many scalars of the text in doubt a snapshot must show as they are remembered to end the doubt.
  static let doubtEnding = 2
  /// The winner's weight below which the pair is read without the session's memory as well.
  static let improbable = -12.0
  /// The weight down to which an undo or a redo is looked for behind another one.
  static let improbablyRetraced = 2 * improbable
  /// How many scalars make it a coincidence that other text looks alike (the documentation's "How sure it is").
  static let evident = 4
  /// The weight, relative to the likeliest hypothesis's, up to which another one is a coincidence: that many scalars'
  /// worth.
  static let coincidence = Double(evident) * scalar
  /// The weight, relative to the likeliest hypothesis's, below which another one does not even count together with others.
  static let negligible = -64.0
  /// The weight of an act that no reading predicts, in a session.
  ///
  /// In the training half, through the sentence window and uncut, 30 certain edits removed text, inserted no single
  /// character, and were no more than a coincidence likelier than this: 16 of them were wrong, of 1,007 others none.
  /// So were 3 of the 43 selections that followed an undo or a redo.
  static let unpredicted = improbable
  /// What share of the longer one's bytes two texts must have in common at their ends to be one text with two edits, which
  /// a tap elsewhere would be by coincidence.
  ///
  /// Of 6,397 simulated corrections that a tap elsewhere commits 4,868 were certain taps before; of the training half's 8,472
  /// pairs through `sentence` at most one is less certain for it.
  static let alike = 0.75
  /// The same without a session, where a pair shows all that is known; and what share of the longer one's length two texts
  /// must have if the shorter one's scalars are all in it.
  static let resembling = 0.5
  /// How many scalars the shorter one of two such texts must have.
  static let leastResembling = 3
  /// How many scalars two windows must share to count as overlapping cuts of one text, which may hold a shorter phrase
  /// twice.
  static let overlaid = 10
  /// How many scalars left of the caret one edit is supposed to erase at most where they are not shown.
  static let mostErased = 1_024
  /// How many scalars a window of limited length slides along at most: more than one edit by a key moves it.
  static let slide = 64
  /// The number of scalars above which a selection is long, so that an arrow key leaves it for one of its ends.
  static let longSelection = 24
}

// MARK: - What a session knows

extension Measured {
  // Counted by Tests/ContextDiffTests/Recordings/counts.py on the training half.

  /// The prior of an undo after anything but undo and redo: 114 of 7,965.
  static let undone = -1.8
  /// A redo after an undo: 69 of 283; after a redo: 22 of 91, which is as often.
  static let redone = 2.2
  /// An undo after a redo: 7 of 91.
  static let undoneAgain = 0.6
  /// Added to the weight of anything but undo and redo after an undo: 62 of 283; after a redo: 62 of 91.
  static let elseAfterUndo = -2.2
  static let elseAfterRedo = -0.6
  /// A redo after anything but undo and redo: none of 133.
  static let redoneLater = -5.0

  // Made by trial on the training half, and on 18 longer recordings made by the same script.

  /// An undo after an undo: 152 of 283, which would be 3.4; less, because what may be a redo as well mostly is one: an
  /// undo mistaken for an edit leaves a step that never was.
  static let undoneFurther = 1.9

  /// Added for each further step undone in the same pair, unless a bond ties it to the one undone before.
  static let undoFarther = -2.0
  /// Added instead where all steps whose texts adjoin are undone: hosts join the words that an input method puts in.
  ///
  /// By trial on simulated hosts.
  static let undoAdjoining = -1.5
  /// Added where only one of two steps is undone which browsers undo together (`Bond.firm`).
  static let undoBond = -3.0
  /// Added where a part of a run is undone, up to where another run may begin.
  static let undoToBreak = -1.5
  /// Added where any other part of a run is undone.
  static let undoPart = -4.5
  /// Added where of an exchange only what it inserted is undone, in a `line` window; elsewhere it is `undoPart`.
  ///
  /// By trial on simulated hosts.
  static let undoHalf = -2.0
  /// The weight of a host that undoes words, or single edits, relative to one that undoes runs; and what is added to
  /// the undo of a whole run by such a host.
  ///
  /// By trial on simulated hosts: all recordings are of browsers, whose readings are the same with and without.
  static let groupsLess = -6.0
  static let undoWholeRun = -5.0
  /// The least weight of each of the three sorts of host, so that a few undos can change the belief at any time.
  static let groupsLeast = -12.0
  /// Added where the caret comes to another place than the one at which the step was made.
  static let undoPlace = -2.5
  /// The same where a redo leaves a selection.
  ///
  /// In the training half none of 91 did, and 72 of 283 undos. A conversion's redo, which does, is predicted.
  static let redoSelects = -7.5
  /// Added where a selection does not come back with its text: browsers bring it back, and so did 36 of 336 undos in
  /// GTK 3 and 4, and none of 320 in Qt.
  static let undoSelectionLost = -3.0
  /// Added where the window is cut elsewhere than its rule says: with as much as for an edit (`recut`), of 231 taps, moves and
  /// deletions in simulated hosts that named no undo any more, and were certain, 77 were wrong.
  static let undoRecut = -2.0
  /// Added for the undo of an edit from before the session, or of one that it does not remember.
  static let undoUnknown = -4.0
  /// The same where the edit was at the caret, after another undo or a redo.
  static let undoUnknownHere = -7.5
  /// Added to the prior of inserting kana where they were composed from letters before.
  static let kanaAtOnce = -4.0
  /// Added to `undoUnknown` where the undo selects text and text was selected before.
  static let undoSelectsAgain = 3.0
  /// Added for an undo or redo in another stretch of text, where the present one has a step to undo or redo.
  static let undoElsewhere = -1.5
  /// Added besides for each stretch that was left later and has such a step, too.
  static let undoNextStretch = -2.0
  /// Added to the prior of a tap, to text that only looks like what the history would bring back.
  static let echo = -7.0
  /// The same for the history of another stretch.
  static let echoElsewhere = -10.0
  /// How many of the last undo steps tell that text is composed from letters, where one of them did.
  static let composingSteps = 2
  /// The prior of converting what was typed last to kana or a word.
  static let composed = 2.0
  /// Added to the prior of a tap, for one place of the remembered text.
  static let rememberedPlace = -4.5
  /// The winner's weight below which other stretches of text are searched.
  static let elsewhereMatters = -4.0
  /// How many scalars next to text that was just learnt must stand in another stretch with it, as far as there are so
  /// many, for the two to be one stretch.
  static let joined = 24
  /// Added to the weight of a hypothesis by which the session's memory is wrong.
  static let memoryIsWrong = -8.0
  /// The weight, relative to the likeliest history's, below which a history is dropped from the beam.
  static let beam = -5.5

  /// How many characters may be on their way to the host when an announced edit takes them away: one is what an engine
  /// for Vietnamese rewrites, the key that asks for it; more where the host is slow.
  static let unseenKeys = 4
}

// MARK: - What a session concludes of its host

extension Measured {
  // By trial on recordings of hosts (docs/Architecture.md, Weights).

  /// The weight of each window at first, at `Window.slot`: without evidence `sentence` leads, as for a single pair.
  static let windowUntold = SIMD4(2.0, 0, 0, 0)
  /// The same where `full` is given as evidence: `sentence` and `paragraph` are ruled out; `line` is a plain cut, too.
  ///
  /// Most toolkits on Linux show a line (GTK 3, Qt, Firefox). A field of single lines looks the same by both, and stays
  /// `full`.
  static let windowOfFull = SIMD4(-64.0, -64, -0.5, 0)
  /// What `full` loses by a pair of short texts with nothing in common at their ends.
  static let windowOtherText = 6.0
  /// How many bytes a host that limits its plain cut shows at least of a longer text: Wayland's show some 4,000.
  static let leastCut = 512
  /// What `line` loses by a snapshot of several lines on a host that has shown no selection: an unseen one may reach
  /// over them.
  static let windowUnseenLines = 3.0
  /// What `line` loses by a snapshot whose `before` is a newline alone: `sentence` shows it at each line's start, and a
  /// host of lines only where it shows the line above, and that is empty.
  ///
  /// By trial on the training half through `sentence`, untold: 7 of its 12 sessions were taken for ones of lines.
  static let windowNewlineAlone = 5.0
  /// The most that weighing a pair takes from a window, and what a snapshot takes that the window cannot show.
  static let windowMost = 12.0
  /// The weight, relative to the likeliest window's, down to which a window is still weighed.
  static let windowOut = -2 * windowMost
  /// How many times as much a snapshot takes from other windows if the window so far cannot show it.
  static let windowExcluding = 2.0
  /// A window is settled after `windowPairs` pairs with a lead of `windowSettled` bits over all others, or after
  /// `windowTelling` pairs that may tell one window from another.
  static let windowPairs = 10
  static let windowSettled = 8.0
  static let windowTelling = 32
  /// How many telling pairs it takes at least where `full` was told: what is typed looks alike by each window.
  static let windowTellingOfFull = 8
  /// By how many bits the likeliest window must lead for the session to change to it; and by how many where `full` was
  /// told, so that the choice is between two.
  static let windowTurns = 4.0
  static let windowTurnsOfFull = 1.0
  /// A host's causes count once it has told `other` of this many of the user's edits, and of as many more for each edit
  /// with `inputMethod`.
  static let causesTelling = 4
}
