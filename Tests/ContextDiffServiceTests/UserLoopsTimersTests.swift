import ContextDiffService
import TestSupport
import Testing

/// What goes by the clock, also where its user has gone, or the clock is set back.
@Suite struct UserLoopsTimersTests {
  @Test func whatIsOldGoesThoughItsUserHasGone() async throws {
    var settings = Settings()
    settings.sessionIdleSeconds = 2
    settings.limits.keptEventsSeconds = 2
    let daemon = try await TestDaemon(settings, monotonic: Clock.system.monotonic)
    try await daemon.postAndLeave(10)
    let began = ContinuousClock.now
    while try await daemon.thread.with({ !$0.statusLine.hasPrefix("0 sessions") }) {
      try #require(began.duration(to: .now) < .seconds(120), "its session stays")
      try await Task.sleep(for: .milliseconds(10))
    }
    // Its numbers go on: what it held is let go of as well.
    let client = try await daemon.connect(10)
    client.send("Post", TestClient.post)
    #expect(client.reply().contains(#""sequence":2"#))
    await daemon.stop()
  }

  @Test func aClockThatIsSetBackChangesNeitherNumbersNorOrder() async throws {
    let daemon = try await TestDaemon()
    let client = try await daemon.connect(10)
    for _ in 0..<5 { client.send("Post", TestClient.post) }
    for number in 1...5 { #expect(client.reply().contains(#""sequence":\#(number)"#)) }
    let subscriber = try await daemon.connect(10)
    subscriber.send("Subscribe", #"{"since":0}"#, flags: #","more":true"#)
    #expect(subscriber.reply().contains(#""ready":true"#))
    for number in 1...5 { #expect(subscriber.reply().contains(#""sequence":\#(number),"#)) }
    client.send("ListSessions")
    #expect(client.reply().contains(#""sessions":["s"]"#))
    await daemon.stop()
  }
}
