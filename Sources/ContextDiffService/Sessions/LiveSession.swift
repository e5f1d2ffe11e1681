package import ContextDiff
internal import ContextDiffWire
internal import JSON
internal import Varlink

/// A session to which a user's clients post: the engine's session of one document, with what the daemon keeps of it.
package final class LiveSession {
  /// The name that the client chose; empty once it was forgotten.
  package private(set) var name: String
  private var nameUTF8: [UInt8]
  private let exclusiveEngine: Exclusive<Session>
  /// The hash of the name (`EventRing.hash`).
  let nameHash: Int
  /// The engine's session, which knows the document.
  package var engine: Session {
    _read { yield exclusiveEngine.value }
    _modify { yield &exclusiveEngine.value }
  }
  private let exclusivePostStart = Exclusive(PostStart())
  /// How its next post most likely begins: with its latest snapshot.
  var postStart: PostStart {
    _read { yield exclusivePostStart.value }
    _modify { yield &exclusivePostStart.value }
  }
  /// The window that a post told last; `nil` where none did.
  ///
  /// Kept here, since reading it from the engine costs more.
  var toldWindow: Window?
  /// Bounds the log entries of its transitions.
  var rate = EntryRate(entriesPerSecond: ClientEntries.sessionTransitionsPerSecond)
  /// The transitions that were left out of the log since their sum was last logged.
  var leftOut = KindCounts()
  /// When it was last posted to, in microseconds of the monotonic clock.
  var lastPost: Int
  /// Whether its user still has it; false once it was forgotten, which a `Client` that remembers it must check.
  private(set) var isLive = true
  /// How many bytes it held when that was last counted; set by `Sessions` alone.
  var heldBytes = 0
  /// Its index in the links of `Sessions`, which alone sets it.
  var place = 0
  /// The `Announcement`s and withdrawals since its last event, in JSON, with commas between them.
  private var announcements: [UInt8] = []
  /// The most bytes of `announcements`.
  private static let announcementsLimit = 64 << 10

  /// A session last posted to at `lastPost`, in microseconds of the monotonic clock.
  package init(name: String, engine: Session, lastPost: Int) {
    self.name = name
    nameUTF8 = Array(name.utf8)
    nameHash = EventRing.hash(name)
    exclusiveEngine = Exclusive(engine)
    self.lastPost = lastPost
    toldWindow = engine.isWindowLearnt ? nil : engine.hostWindow
  }

  /// The bytes that it takes besides those of the engine's session: its objects, three copies of the name,
  /// `announcements` and `postStart`.
  var ownBytes: Int {
    1_920 + 3 * nameUTF8.count + announcements.count + postStart.capacity
  }

  /// Whether it has this name.
  func isNamed(_ name: Bytes) -> Bool {
    // Unsafe: the array's own bytes, compared while they are lent.
    unsafe nameUTF8.withUnsafeBufferPointer { unsafe Bytes($0) == name }
  }

  /// Keeps an announcement or a withdrawal for the event of the next post; drops it where too many are kept already.
  func note(_ announcement: Announcement) {
    var writer = JSONWriter()
    announcement.write(to: &writer)
    // Unsafe: copied at once.
    let bytes = unsafe writer.bytes
    guard announcements.count + bytes.count < Self.announcementsLimit else { return }
    // Assigned as a whole, not changed in place, so that the compiler need not check at run time for overlapping access.
    let comma = announcements.isEmpty ? [] : [UInt8(ascii: ",")]
    announcements = unsafe announcements + comma + bytes
  }

  /// Writes the kept announcements as the member `announced`, behind a comma; nothing where there are none.
  func writeAnnouncements(to writer: inout JSONWriter) {
    if announcements.isEmpty { return }
    writer.fragment(#","announced":["#)
    // Unsafe: copied at once.
    unsafe announcements.withUnsafeBytes { unsafe writer.json($0) }
    writer.fragment("]")
  }

  /// Drops its text and its name, which must not stay in memory while a client still refers to it.
  func end() {
    isLive = false
    heldBytes = 0
    engine = Session()
    postStart.forget()
    forgetAnnouncements()
    name = ""
    nameUTF8 = []
  }

  /// Drops the kept announcements.
  func forgetAnnouncements() {
    if !announcements.isEmpty { announcements = [] }
  }
}
