/// The weights that the model leaves open, as binary logarithms on the model's scale.
enum Measured {
  /// What a scalar costs that a hypothesis does not predict.
  static let scalar = -2.0
  /// What a line break costs beyond another character: it is one key among many.
  static let lineBreak = -1.3
  /// A new line with the indentation of the one before: less than erasing one character, more than
  /// erasing all that follows the indentation.
  static let indented = -0.2
  /// The same where the session never saw one and blanks may just as well be left over.
  static let indentedUnseen = -3.0
  /// A new line that begins with an item's mark as the one before it did, rather than all behind the mark being
  /// erased: by trial on what editors' own tests have (`OtherSystemsTests`).
  static let continued = -5.0
  /// What a new line has more behind a bracket that closes a block.
  static let closedBlock = 2.5
  /// What a new line costs besides where there are blanks alone.
  static let blankLine = -2.5
  /// Several characters at once, from a completion, dictation or an unknown pasteboard.
  static let phrase = 0.45
  /// What each of the first four scalars of such a text costs besides: a short one is likelier.
  static let phraseScalar = -0.7
  /// How many scalars are a long text, and what such a one costs that is not on a known pasteboard.
  static let longText = 8
  static let longUnpasted = -3.0
  /// What it costs that such a text ends a sentence just where the one before may be seen instead.
  static let wholeSentence = -2.0
  /// What it costs that only the last sentence or line of such a text is seen.
  static let part = -4.2
  /// What was selected is put in again in its own place.
  static let restored = -3.9
  /// What erasing has more where the last edit erased too.
  static let goingOn = 1.0
  /// A word or a line erased at once; the model's erasing is by characters.
  static let erasedRun = -2.0
  /// A word erased at once, beside what a session knows of: 20 of 8,472 in the training half.
  static let erasedWord = -4.4
  /// The same of more than a word: none of 8,472.
  static let erasedWords = -9.0
  /// What it costs that whole lines go at once.
  static let erasedLines = -10.0
  /// What it costs that text went back to where it was never seen, rather than that text came.
  static let erasedUnseen = -4.0
  /// What it costs that text went and the same came, rather than that all between went.
  static let erasedAndTyped = -6.0
  /// Text left of the caret exchanged with nothing selected (autocorrection, conversion).
  static let exchanged = -4.0
  /// Letters that an input method makes kana of, or kana a word: there is little choice.
  static let converted = -3.0
  /// One taken away on each side of the caret: ½.
  static let erasedBothSides = -1.0
  /// Up to two on either side exchanged: 1, over the eight ranges there are.
  static let exchangedOver = -3.0
  /// A pair typed with the caret between, or text of which the rest is selected: ½ each.
  static let caretInside = -2.0
  static let proposed = -2.0
  /// What it costs that the caret, or the selection, stands before all that comes.
  static let caretBefore = -10.0
  /// The same where a selection is exchanged.
  static let caretBeforeOver = -2.0
  /// What it costs that all that comes is selected, as a drop is.
  static let allSelected = -2.0
  /// What it costs that more than a character goes on a side, and all that comes is nothing.
  static let erasedRunOver = -6.0
  /// What it costs that text goes, and more than four scalars come around a selection that is new.
  static let proposedWide = -24.0
  /// What it costs that text goes and more than four scalars come around the caret, or that so many come
  /// before a proposal.
  static let exchangedWide = -6.0
  /// What it costs that more than two scalars come right of the caret.
  static let template = -6.0
  /// What is selected changed, or enclosed: ½ each.
  static let keptSelection = -0.5
  /// What it costs that a selection changed becomes longer or shorter.
  static let changedLength = -4.0
  /// What each scalar costs that goes unselected, beyond one on each side.
  static let goneScalar = -1.0
  /// What a selection elsewhere has more where the window shows a sentence or a line alone.
  static let selectedElsewhere = 1.0
  /// What it costs that more was selected than the window shows.
  static let selectedBeyond = -3.0
  /// What a selection costs that holds a line break though the window shows lines alone.
  static let selectedBreak = -6.0
  /// What a tap has more where the window shows a line alone.
  static let lineTap = 0.5
  /// The return key where nothing but the line is seen.
  static let lineBroken = 1.0
  /// The same behind one character, which may as well be erased.
  static let lineBrokenShort = -1.5
  /// What sending a field costs where a line alone is seen.
  static let submittedLine = -2.0
  /// A shortcut takes back, or brings again, what is not remembered.
  static let retracedUnseen = -1.0
  /// The same where a state comes back that was seen lately.
  static let returned = 0.5
  /// The same where nothing but undo and redo lies between.
  static let reversed = 2.0
  /// A shortcut that takes back, or brings again, what looks like an edit that a key makes.
  static let retracedEdit = -2.0
  /// A line joined to the one above, which was not seen.
  static let joinedLine = -0.5
  /// What a hypothesis costs after which the caret would stand elsewhere in the document than it does, or text
  /// would be left in a field that is empty.
  static let misplaced = -24.0
  /// What a key does in some hosts, in hardly any, and in none.
  static let seldomByKey = -3.0
  static let hardlyByKey = -6.0
  static let neverByKey = -12.0
  /// A character that comes, or text exchanged, without a key: an input method puts text in more often.
  ///
  /// By trial on recordings of hosts, and on words composed in Vietnamese and Chinese.
  static let byInputMethod = -1.0
  /// Typing, where the host has just reset its input method: some hosts do at nearly each key.
  static let typedAtReset = -1.0
  /// What an edit has more that the input method made within what it composes.
  static let editsComposition = 6.0
  /// What text has more that comes in the place of all that is composed, whoever is said to put it there: of 334 such
  /// edits in input methods' own tests 329 are read so with it, and 240 without.
  static let exchangesComposition = 3.0
  /// What a selection that the host does not show costs beside the caret that it shows.
  static let unseenSelection = -3.0
  /// The selection that was not shown taken away, where the pasteboard now holds what vanished.
  static let unseenCut = -4.0
  /// A paste of which nothing but a new line or blanks is seen.
  static let pastedBreak = -2.0
  /// What is selected exchanged for the same text: the list has it given up, where both windows are cut alike.
  static let sameText = -3.0
  /// A paste of what may be on the pasteboard.
  static let clip = -3.0
  /// One space more that goes, or comes.
  static let space = -3.0
  /// What sending a field has more where all of its text goes at once: it is one place.
  static let clearedField = 0.8
  /// What a field sent costs where the window may hide all that is left.
  static let submittedUnderCut = -1.0
  /// The share of the places next to the caret.
  static let nextPlace = -2.0
  /// The host cut the text elsewhere.
  static let shifted = 1.0
  /// A cut that is not where the rule has it.
  static let recut = -6.0
  /// A side that shows nothing although it should.
  static let hidden = -8.0
  /// What it costs that a side shows nothing, rather than that all it showed was erased.
  static let hiddenNotErased = -4.0
  /// A tap from a document's end to that same end.
  static let anchored = -8.0
  /// What a hypothesis costs that contradicts the session's memory where that is doubtful.
  static let memoryIsDoubted = -2.0
  /// What is so unlikely by the session's memory that the memory itself is in question.
  static let improbable = -12.0
  /// How far below the likeliest hypothesis another one counts as a coincidence: four scalars' worth.
  static let coincidence = 4 * scalar
  /// What no reading predicts, in a session: in the training half, through the sentence window and uncut,
  /// 16 of the 30 certain edits were wrong that take text away, put in no single character, and that
  /// it is no coincidence beside, 0 of 1,007 others; and 3 of the 43 selections that followed an undo or
  /// a redo.
  static let unpredicted = improbable
  /// How many scalars two windows must have in common that lie over each other beyond the caret: phrases
  /// come twice in a text.
  static let overlaid = 10
  /// How many scalars a selection has of which few places but its ends are gone to.
  static let longSelection = 24
}

// MARK: - What a session knows

extension Measured {
  // Counted by Tests/ContextDiffTests/Recordings/counts.py on the training half.

  /// An undo after something else: 114 of 7,965.
  static let undone = -1.8
  /// A redo after an undo: 69 of 283.
  static let redone = 2.2
  /// A redo after a redo: 22 of 91.
  static let redoneFurther = 2.2
  /// An undo after a redo: 7 of 91.
  static let undoneAgain = 0.6
  /// How much less likely all else is after an undo: 62 of 283; and after a redo: 62 of 91.
  static let elseAfterUndo = -2.2
  static let elseAfterRedo = -0.6
  /// A redo of what was undone a while ago: none of 133.
  static let redoneLater = -5.0

  // Made by trial on the training half, and on 18 longer recordings made by the same script.

  /// An undo after an undo: 152 of 283, which would be 3.4; but what looks like a redo, too, is rather
  /// that, for an undo read as an edit leaves a step that never was.
  static let undoneFurther = 1.9

  /// What it costs each to take one step more along than is undone at once.
  static let undoFarther = -2.0
  /// The same where browsers may undo both at once.
  static let undoBond = -3.0
  /// What it costs that a part of a run is taken back, up to where another one may begin.
  static let undoToBreak = -1.5
  /// What it costs that any other part is.
  static let undoPart = -4.5
  /// That a host takes words back, or each edit, rather than runs, and what it costs there that a run is: by
  /// trial on simulated hosts, for all recordings are of browsers, whose readings are the same with and
  /// without.
  static let groupsWords = -6.0
  static let groupsEdits = -6.0
  static let undoWholeRun = -5.0
  /// What it costs that the caret is elsewhere than the step was made.
  static let undoPlace = -2.5
  /// What it costs that a selection does not come back with its text: browsers bring it, 36 of 336 undos
  /// in GTK 3 and 4 did, and none of 320 in Qt.
  static let undoSelectionLost = -3.0
  /// What it costs that the window is cut anew.
  static let undoRecut = -2.0
  /// A step from before what the session remembers, beside one that it knows.
  static let undoUnknown = -4.0
  /// The same where the text beside the caret goes or comes.
  static let undoUnknownHere = -7.5
  /// A redo of what the session does not know, beside an undo.
  static let redoUnknown = -7.0
  /// Kana that come at once where letters became them before.
  static let kanaAtOnce = -4.0
  /// What it costs that such a step brings a selection where there was none.
  static let undoSelectsAnew = -0.5
  /// What it has more where something was selected before.
  static let undoSelectsAgain = 3.0
  /// A step in a stretch of text that the session left, beside one where it is.
  static let undoElsewhere = -1.5
  /// What each stretch costs that was left later, and has a step of its own.
  static let undoNextStretch = -2.0
  /// Text out of sight that repeats what the history would bring back.
  static let echo = -7.0
  /// The same where another stretch's history would bring it back.
  static let echoElsewhere = -10.0
  /// What was typed last becomes kana or a word.
  static let composed = 2.0
  /// One remembered place out of sight.
  static let rememberedPlace = -4.5
  /// How unlikely all else must be before other stretches of text are looked through.
  static let elsewhereMatters = -4.0
  /// What a hypothesis costs by which the remembered text is wrong, and where that is doubtful anyway.
  static let memoryIsWrong = -8.0
  /// How far the likeliest history may be ahead of one that is still gone on with.
  static let beam = -5.5
}
