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
      "Post to this session of a daemon, and show what it answers.", valueName: "name"))
  var post: SessionName?

  @Flag(help: "Tell nobody the pasteboard's text.")
  var noPasteboard = false

  func run() async throws {
    let client = post == nil ? nil : try await daemon.connect()
    var trial = Trial(window: window, tellsPasteboard: !noPasteboard)
    if let client, let post { trial.reader = .daemon(client, daemon, session: post.text) }
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

  /// - Returns: The signal that ended it; `nil` where the person did.
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

/// A field, and who reads what an input method sees of it.
private struct Trial {
  enum Reader {
    case session(Session)
    case daemon(ContextDiffClient, DaemonOptions, session: String)
  }

  private(set) var field = EditableField()
  private(set) var window: Window
  private(set) var entries: [TryScreen.Entry] = []
  var reader = Reader.session(Session())
  /// Whether its session is the daemon's from before.
  private var goesOn = false
  private let tellsPasteboard: Bool
  private var shown: Snapshot

  init(window: Window, tellsPasteboard: Bool) {
    self.window = window
    self.tellsPasteboard = tellsPasteboard
    shown = field.snapshot(through: window)
  }

  /// What stands beside the window's name.
  var note: String {
    switch reader {
    case .session: "read here, without a daemon"
    case .daemon(_, _, let session): "posted to \(VisibleText(session).text)"
    }
  }

  /// Sets the baseline.
  mutating func begin() async throws {
    goesOn = try await post(shown) != nil
  }

  /// Ends the session that it began.
  ///
  /// A daemon that has gone has none, and one that hangs is not waited for.
  func end() async {
    guard case .daemon(let client, _, let session) = reader, !goesOn else { return }
    try? await client.with(deadline: .seconds(1)).forget(session)
  }

  mutating func perform(_ act: EditableField.Act) async throws {
    guard field.perform(act) else { return }
    let old = shown
    shown = field.snapshot(through: window)
    let transition = try await post(shown)
    entries.append(TryScreen.Entry(act: act, old: old, new: shown, transition: transition))
    if entries.count > 100 { entries.removeFirst() }
  }

  /// Begins anew with the window after this one.
  mutating func lookThroughNextWindow() async throws {
    let windows = Window.allCases
    window = windows[((windows.firstIndex(of: window) ?? 0) + 1) % windows.count]
    shown = field.snapshot(through: window)
    entries = []
    if case .session = reader { reader = .session(Session()) }
    _ = try await post(shown)
  }

  private mutating func post(_ new: Snapshot) async throws -> Transition? {
    let (window, pasteboard) = (window, tellsPasteboard ? field.pasteboard : nil)
    switch reader {
    case .session(var session):
      defer { reader = .session(session) }
      return session.post(
        new: new, pasteboard: pasteboard, evidence: Evidence(window: window), with: Classifier())
    case .daemon(let client, let daemon, let session):
      return try await daemon.answer {
        try await client.post(
          new, to: session, pasteboard: pasteboard, evidence: Evidence(window: window)
        ).transition
      }
    }
  }
}
