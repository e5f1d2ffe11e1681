import ArgumentParser
import ContextDiff
import ContextDiffClient
import ContextDiffConsole
import ContextDiffWire
import Glibc

struct Try: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "try",
    abstract: "A field in the terminal, and what an input method would see of it.",
    usage: "contextdiffctl try [<options>]",
    discussion: """
      Type, move, select, cut, paste and undo in it: for each act the keyhole before, the keyhole after and \
      the reading are shown, and what the window hides is greyed out. Works in this process; with --post \
      a daemon reads, and its subscribers hear; at the end try ends the session, unless it was there before.

      Example:
        contextdiffctl try --window full
      """)

  @OptionGroup var daemon: DaemonOptions
  @OptionGroup var output: OutputOptions

  @Option(help: "How the host cuts the text.")
  var window = Window.sentence

  @Option(
    help: ArgumentHelp(
      "Post to this session of a daemon, and show what it answers.", valueName: "name"),
    completion: SessionName.completion, transform: SessionName.read)
  var post: SessionName?

  @Flag(help: "Tell nobody the pasteboard's text.")
  var noPasteboard = false

  func run() async throws {
    // Before a daemon hears of the session.
    _ = try Terminal.settings()
    var trial = Trial(window: window, tellsPasteboard: !noPasteboard)
    if let post { trial.reader = .daemon(try await daemon.connect(), session: post.text) }
    try await trial.begin()
    let signal: CInt?
    do {
      signal = try await run(&trial)
    } catch {
      await trial.end()
      throw error
    }
    await trial.end()
    if let signal { endProcess(by: signal) }
  }

  /// Shows the field and performs what the person does in it, until that person or a signal ends it.
  ///
  /// - Returns: The signal that ended it; `nil` where the person did, or standard input ended.
  /// - Throws: Where there is no terminal, or the daemon does not answer.
  private func run(_ trial: inout Trial) async throws -> CInt? {
    let terminal = try Terminal()
    defer { terminal.restore() }
    var input = TerminalInput()
    let palette = output.standard.palette
    while true {
      let size = terminal.size
      let screen = TryScreen(palette: palette, columns: size.columns, rows: size.rows)
      terminal.show(
        screen.draw(trial.field, through: trial.window, entries: trial.entries, note: trial.note))
      switch terminal.next(isBrief: input.isWaiting) {
      case .resized: continue
      case .quiet: input.settle()
      case .ended(let signal): return signal
      case .bytes(let bytes):
        for event in input.read(bytes) {
          switch event {
          case .end: return nil
          case .nextWindow: try await trial.lookThroughNextWindow()
          case .act(let act): try await trial.perform(act)
          }
        }
      }
    }
  }
}

/// The field that a person edits, and the session to which what an input method would see of it is posted.
private struct Trial {
  /// What reads the pairs.
  enum Reader {
    /// A session in this process.
    case session(Session)
    /// A session in a daemon, by its name.
    case daemon(ConnectedDaemon, session: String)
  }

  private(set) var field = EditableField()
  /// How the text is cut around the caret.
  private(set) var window: Window
  /// The latest acts that changed something, the oldest first: 100 at most.
  private(set) var entries: [TryScreen.Entry] = []
  var reader = Reader.session(Session())
  /// Whether the daemon had the session before `begin`, so that `end` leaves it.
  private var goesOn = false
  private let tellsPasteboard: Bool
  /// The snapshot that was posted last.
  private var shown: Snapshot

  /// An empty field, read by a session in this process unless `reader` is set.
  init(window: Window, tellsPasteboard: Bool) {
    self.window = window
    self.tellsPasteboard = tellsPasteboard
    shown = field.snapshot(through: window)
  }

  /// Where the pairs are read, in words that the screen shows beside the window's name.
  var note: String {
    switch reader {
    case .session: "read here, without a daemon"
    case .daemon(_, let session): "posted to \(VisibleText(session).text)"
    }
  }

  /// Posts the field as it is at first, which sets the session's baseline.
  mutating func begin() async throws {
    goesOn = try await post(shown) != nil
  }

  /// Makes the daemon forget the session, unless the daemon had it before.
  ///
  /// Errors are ignored: a daemon that has ended has no sessions left. The call has one second.
  func end() async {
    guard case .daemon(let daemon, let session) = reader, !goesOn else { return }
    try? await daemon.client.with(deadline: .seconds(1)).forget(session)
  }

  /// Performs `act` in the field, posts what the window then shows, and adds the entry; nothing where the act changes
  /// nothing.
  mutating func perform(_ act: EditableField.Act) async throws {
    guard field.perform(act) else { return }
    let old = shown
    shown = field.snapshot(through: window)
    let transition = try await post(shown)
    entries.append(TryScreen.Entry(act: act, old: old, new: shown, transition: transition))
    if entries.count > 100 { entries.removeFirst() }
  }

  /// Changes to the window after this one (the first after the last), and removes the entries.
  ///
  /// A session in this process begins anew; a daemon's goes on with what the new window shows.
  mutating func lookThroughNextWindow() async throws {
    let windows = Window.allCases
    window = windows[((windows.firstIndex(of: window) ?? 0) + 1) % windows.count]
    shown = field.snapshot(through: window)
    entries = []
    if case .session = reader { reader = .session(Session()) }
    _ = try await post(shown)
  }

  /// Posts `new` to the session; `nil` where it only sets the baseline.
  private mutating func post(_ new: Snapshot) async throws -> Transition? {
    let (window, pasteboard) = (window, tellsPasteboard ? field.pasteboard : nil)
    switch reader {
    case .session(var session):
      defer { reader = .session(session) }
      return session.post(
        new: new, pasteboard: pasteboard, evidence: Evidence(window: window), with: Classifier())
    case .daemon(let daemon, let session):
      return try await daemon.answer {
        try await $0.post(
          new, to: session, pasteboard: pasteboard, evidence: Evidence(window: window)
        ).transition
      }
    }
  }
}
