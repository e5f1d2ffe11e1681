import Testing
import Varlink

/// A connection without a socket: a line of events, and what was to be done.
@Suite struct ConnectionStateTests {
  /// Plays events against a state; noncopyable states cannot be looked at by #expect itself.
  private struct Play: ~Copyable {
    var state: ConnectionState
    var said: [String] = []

    init(receivedLimit: Int = .max, queuedLimit: Int = .max, highWater: Int = 100) {
      state = ConnectionState(
        account: Account(received: receivedLimit, queued: queuedLimit), highWater: highWater)
    }

    /// Reads bytes, `|` for NUL, and answers each call by `answer`.
    mutating func read(
      _ text: String, oneway: Bool = false, more: Bool = false,
      answer: (inout ConnectionState) -> Void = { _ = $0.reply(continues: false) }
    ) {
      Array(text.utf8.map { $0 == UInt8(ascii: "|") ? 0 : $0 }).withUnsafeBytes { bytes in
        var bytes = bytes
        while true {
          switch state.next(in: &bytes, limit: 20) {
          case .nothing: return
          case .reject(let reason): return said.append("reject \(reason)")
          case .call(let frame):
            let name = String(decoding: frame, as: UTF8.self)
            if state.beginCall(wantsMore: more, isOneway: oneway) {
              said.append(name)
              answer(&state)
            } else {
              said.append("not \(name)")
            }
            note(state.endCall())
          }
        }
      }
    }

    /// Queues that many bytes.
    mutating func wait(_ count: Int) {
      let hasRoom = [UInt8](repeating: 1, count: count).withUnsafeBytes { state.keepUnsent($0) }
      if !hasRoom { said.append("no room") }
    }

    mutating func sent(_ count: Int) {
      let (action, hasRoom) = state.sent(count)
      if hasRoom { said.append("has room") }
      note(action)
    }

    mutating func note(_ action: ConnectionState.Action) {
      if action != .nothing { said.append("\(action)") }
    }

    /// `r` and `w` where the socket is to tell of that.
    var interest: String {
      (state.interest.contains(.readable) ? "r" : "")
        + (state.interest.contains(.writable) ? "w" : "")
    }
  }

  private final class Account: VarlinkAccount {
    private let left: LimitedAccounts

    init(received: Int, queued: Int) {
      left = LimitedAccounts(limits: [.received: received, .queued: queued])
    }

    func charge(_ amount: Int, of resource: VarlinkResource) -> Bool {
      left.charge(amount, of: resource)
    }

    func release(_ amount: Int, of resource: VarlinkResource) {
      left.release(amount, of: resource)
    }
  }

  private func expect(_ play: consuming Play, _ said: [String], _ interest: String) {
    let (found, told) = (play.said, play.interest)
    #expect(found == said)
    #expect(told == interest)
  }

  @Test func callsAreTakenAsTheyComeInPieces() {
    var play = Play()
    play.read("one|tw")
    play.read("o|three|")
    expect(play, ["one", "two", "three"], "r")
  }

  @Test func aFrameBeyondTheLimitIsRejectedAfterTheCallsBeforeIt() {
    var play = Play()
    play.read("one|012345678901234567890|")
    expect(play, ["one", "reject it sent a frame of more than 20 bytes"], "r")
  }

  @Test func whoDoesNotReadIsNotReadFrom() {
    var play = Play(highWater: 10)
    play.read("one|two|") { state in
      _ = state.reply(continues: false)
      _ = [UInt8](repeating: 1, count: 11).withUnsafeBytes { state.keepUnsent($0) }
    }
    // The second one waits, and nothing more is read.
    let isPaused = play.interest
    #expect(isPaused == "w")
    play.sent(5)
    play.sent(1)
    play.read("")
    expect(play, ["one", "has room", "queue", "two"], "rw")
  }

  @Test func whoEndsTheirSideIsLeftOnceAllIsSent() {
    var play = Play()
    play.read("one|")
    play.wait(3)
    play.note(play.state.inputEnded())
    play.sent(2)
    play.sent(1)
    expect(play, ["one", "leave"], "")
  }

  @Test func ofOneWhoIsGoneOnlyOnewayCallsAreTaken() {
    var play = Play()
    play.wait(3)
    play.note(play.state.lostReader())
    play.read("one|")
    play.read("two|", oneway: true)
    play.note(play.state.inputEnded())
    expect(play, ["queue", "not one", "two", "leave"], "")
  }

  @Test func aStreamDropsWhatComesAndGoesOnWhenTheClientHasSaidAll() {
    var play = Play()
    play.read("one|two|", more: true) { $0.beginStream(highWater: 1) }
    play.read("three|")
    play.note(play.state.inputEnded())
    play.wait(1)
    let interest = play.interest
    #expect(interest == "w")
    play.note(play.state.lostReader())
    expect(play, ["one", "leave"], "")
  }

  @Test func whatIsClosedWithinACallLeavesWhenItIsSent() {
    var play = Play()
    play.read("one|two|") { state in
      _ = state.reply(continues: false)
      _ = [1 as UInt8].withUnsafeBytes { state.keepUnsent($0) }
      _ = state.close()
    }
    play.sent(1)
    expect(play, ["one", "leave"], "")
  }

  @Test func whatIsEndedWithinACallLeavesAtOnceAndOnce() {
    var play = Play()
    play.read("one|two|") { state in
      _ = state.reply(continues: false)
      _ = state.end()
    }
    play.note(play.state.end())
    play.note(play.state.lostReader())
    play.note(play.state.close())
    expect(play, ["one", "leave"], "")
  }

  @Test func aTurnThatIsOverKeepsTheOtherCalls() {
    var play = Play()
    Array("one\0two\0".utf8).withUnsafeBytes { bytes in
      var bytes = bytes
      guard case .call = play.state.next(in: &bytes, limit: 20) else { return }
      _ = play.state.beginCall(wantsMore: false, isOneway: true)
      _ = play.state.endCall()
      let reason = play.state.keep(bytes)
      #expect(reason == nil)
    }
    let hasKept = play.state.hasKeptCalls
    #expect(hasKept)
    play.read("")
    let hasMore = play.state.hasKeptCalls
    #expect(!hasMore)
    expect(play, ["two"], "r")
  }

  @Test func whatTheAccountHasNoRoomForIsRejected() {
    var half = Play(receivedLimit: 4095)
    half.read("half")
    expect(half, ["reject \(FrameRejection.tooMuchUnfinished)"], "r")
    let kept = Play(receivedLimit: 4095)
    let reason = Array("kept".utf8).withUnsafeBytes { kept.state.keep($0) }
    #expect(reason == .tooMuchUnfinished)
    var due = Play(queuedLimit: 4096)
    due.wait(4096)
    due.wait(1)
    expect(due, ["no room"], "rw")
  }
}

/// An account with a limit for each resource.
private final class LimitedAccounts: Sendable {
  private let accounts: [VarlinkResource: LimitedAccount]

  init(limits: [VarlinkResource: Int]) { accounts = limits.mapValues { LimitedAccount(limit: $0) } }

  func charge(_ amount: Int, of resource: VarlinkResource) -> Bool {
    accounts[resource]?.charge(amount, of: resource) ?? true
  }

  func release(_ amount: Int, of resource: VarlinkResource) {
    accounts[resource]?.release(amount, of: resource)
  }
}
