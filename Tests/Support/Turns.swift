/// Lets a few tests at a time have sockets, so that all of them together stay below the 1,024
/// descriptors that a process has by default.
public actor Turns {
  /// For who listens, connects or runs a loop: a handful of descriptors each.
  public static let sockets = Turns(16)
  /// For who runs the loops of users: some ten descriptors for each user and client.
  public static let loops = Turns(6)

  /// A turn, which is over when nothing refers to it any more.
  public final class Turn: Sendable {
    private let turns: Turns

    fileprivate init(of turns: Turns) { self.turns = turns }

    deinit {
      Task { [turns] in await turns.end() }
    }
  }

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) {
    free = count
  }

  /// Runs `body` when it is its turn.
  ///
  /// Must not be called within `body`: who has a turn and waits for another may wait for ever.
  public nonisolated func take<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    await begin()
    do {
      let result = try await body()
      await end()
      return result
    } catch {
      await end()
      throw error
    }
  }

  /// A turn, once there is one.
  public nonisolated func next() async -> Turn {
    await begin()
    return Turn(of: self)
  }

  private func begin() async {
    if free > 0 {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  private func end() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
