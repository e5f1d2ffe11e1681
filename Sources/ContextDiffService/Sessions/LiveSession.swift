package import ContextDiff
internal import ContextDiffWire
internal import JSON
internal import Varlink

/// One document's session, as a user's client posts to it.
package final class LiveSession {
  /// Its name, as its client chose it.
  package let name: String
  private let nameUTF8: [UInt8]
  private let exclusiveEngine: Exclusive<Session>
  /// Of its name, as the ring of events has it.
  let nameHash: Int
  /// What it knows of the document.
  package var engine: Session {
    _read { yield exclusiveEngine.value }
    _modify { yield &exclusiveEngine.value }
  }
  /// The window that a post told last, here because looking into the engine costs more than the window does.
  var toldWindow: Window?
  var rate = EntryRate(entriesPerSecond: 200)
  /// The transitions that were not logged one by one since the last sum.
  var leftOut = KindCounts()
  /// When it was last posted to, in monotonic microseconds.
  var lastPost: Int
  /// Whether it is still its user's: a client may remember one that was forgotten.
  var isLive = true
  /// How much it held when that was counted last, in bytes; `Sessions` keeps it.
  var heldBytes = 0
  /// Where it is in the order of last posts; `Sessions` keeps it.
  var place = 0
  /// What was announced and withdrawn since its last event: `Announcement`s in JSON, with commas between them.
  private var announcements: [UInt8] = []
  /// The most bytes that are kept of these.
  private static let announcementsLimit = 64 << 10

  /// A session that nobody has posted to since `lastPost`.
  package init(name: String, engine: Session, lastPost: Int) {
    self.name = name
    nameUTF8 = Array(name.utf8)
    nameHash = EventRing.hash(name)
    exclusiveEngine = Exclusive(engine)
    self.lastPost = lastPost
    toldWindow = engine.isWindowLearnt ? nil : engine.hostWindow
  }

  /// What it takes besides what its engine holds, in bytes: the name, thrice, the objects, and what was announced.
  var ownBytes: Int { 1_280 + 3 * nameUTF8.count + announcements.count }

  /// Whether it has this name.
  func isNamed(_ name: Bytes) -> Bool {
    // Unsafe: compared while it is lent.
    unsafe nameUTF8.withUnsafeBufferPointer { unsafe Bytes($0) == name }
  }

  /// Notes what was announced or withdrawn, for the event of the next post; where too much waits for that, the event
  /// comes without it.
  func note(_ announcement: Announcement) {
    var writer = JSONWriter()
    announcement.write(to: &writer)
    // Unsafe: copied at once.
    let bytes = unsafe writer.bytes
    guard announcements.count + bytes.count < Self.announcementsLimit else { return }
    // Only ever set whole, so that the compiler proves that nobody uses it twice at a time.
    let comma = announcements.isEmpty ? [] : [UInt8(ascii: ",")]
    announcements = unsafe announcements + comma + bytes
  }

  /// Writes that as a member of an event, behind others; nothing where there is none.
  func writeAnnouncements(to writer: inout JSONWriter) {
    if announcements.isEmpty { return }
    writer.fragment(#","announced":["#)
    // Unsafe: copied at once.
    unsafe announcements.withUnsafeBytes { unsafe writer.json($0) }
    writer.fragment("]")
  }

  /// Lets go of what was announced and withdrawn up to now.
  func forgetAnnouncements() {
    if !announcements.isEmpty { announcements = [] }
  }
}
