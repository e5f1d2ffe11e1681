internal import AsyncVarlink
package import ContextDiffWire
package import NIOCore
internal import Varlink

/// What happens in sessions, as it happens; survives a restart of the daemon.
///
/// ```swift
/// for try await element in client.events(of: ["notes-1"], kinds: [.cut, .paste]) {
///   switch element {
///   case .ready: break
///   case .event(let event): print(event.sequence, event.transition.kind)
///   case .lost(let count): print("lost", count ?? "some")
///   }
/// }
/// ```
///
/// Each event comes once, in the order of the posts. Where the connection is lost, the sequence
/// connects again (at once, then after growing waits of up to two seconds) and asks for what came
/// after the last event that it gave; events that the daemon no longer holds come as
/// ``Element/lost(_:)``.
///
/// It ends when its task is cancelled. It throws ``ContextDiffError`` where no daemon answers to
/// begin with, and where the daemon refuses: `invalidParameter`, `permissionDenied`,
/// `tooManySubscribers`, `unsupported`, `invalidReply`.
public struct EventSequence: AsyncSequence, Sendable {
  /// What a subscriber hears.
  public enum Element: Sendable {
    /// The subscription stands; comes again after each restart.
    ///
    /// The position is the last number given by then. What was asked for and is still kept comes
    /// next.
    case ready(EventPosition)
    /// Something happened.
    case event(Event)
    /// That many events are lost to this subscriber; `nil` where nobody knows how many.
    case lost(Int?)
  }

  /// The errors that end the sequence.
  public typealias Failure = ContextDiffError

  private let path: String
  private let group: any EventLoopGroup
  private let subscription: SubscribeParameters
  /// Called when the connection is lost, before another is made.
  package var onConnectionLost: (@Sendable () -> Void)?

  package init(path: String, group: any EventLoopGroup, subscription: SubscribeParameters) {
    self.path = path
    self.group = group
    self.subscription = subscription
  }

  /// An iterator with a subscription of its own, which begins at its first `next()`.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      path: path, group: group, cursor: EventCursor(subscription),
      onConnectionLost: onConnectionLost)
  }

  /// Gives one element after another; to be used by one task at a time.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let path: String
    private let group: any EventLoopGroup
    private var cursor: EventCursor
    private var replies: VarlinkReplies<SubscribeReply>.AsyncIterator?
    private let onConnectionLost: (@Sendable () -> Void)?
    private var isConnected = false

    init(
      path: String, group: any EventLoopGroup, cursor: EventCursor,
      onConnectionLost: (@Sendable () -> Void)?
    ) {
      self.onConnectionLost = onConnectionLost
      self.path = path
      self.group = group
      self.cursor = cursor
    }

    /// The next element; `nil` when the task is cancelled.
    ///
    /// - Throws: Where no daemon answers to begin with, and where the daemon refuses; see
    ///   ``EventSequence``. A lost connection is made anew instead.
    @concurrent
    public mutating func next() async throws(ContextDiffError) -> Element? {
      while let step = try await step() {
        if let element = step.element { return element }
      }
      return nil
    }

    /// What the daemon told, and how far it is then.
    package struct Step {
      /// What the subscriber hears; `nil` where it is told of no event.
      package let element: Element?
      /// Where a subscription is to begin that is told what comes behind this.
      package let position: EventPosition
    }

    /// As `next()`, and stops also where the daemon only says how far it is.
    @concurrent
    package mutating func step() async throws(ContextDiffError) -> Step? {
      while !Task.isCancelled {
        do {
          let reply = try await nextReply()
          isConnected = true
          let element = cursor.receive(reply)
          return Step(element: element, position: cursor.position)
        } catch {
          replies = nil
          let error = ContextDiffError(error, path: path)
          if error.code == .cancelled { return nil }
          let delay = try cursor.fail(error)
          if isConnected { onConnectionLost?() }
          isConnected = false
          // Cut short by cancellation only, which the loop's condition sees.
          if delay > .zero { try? await Task.sleep(for: delay) }
        }
      }
      return nil
    }

    @concurrent
    private mutating func nextReply() async throws -> SubscribeReply {
      if replies == nil {
        let (path, group) = (path, group)
        let client = try await waitingForRoom {
          try await VarlinkClient.connect(to: path, frameLimit: Interface.replyLimit, on: group)
        }
        replies = client.stream(
          Interface.Method.subscribe.fullName, cursor.subscription.write,
          decode: SubscribeReply.init(json:)
        ).makeAsyncIterator()
      }
      guard let reply = try await replies?.next() else {
        throw ContextDiffError(
          code: .connectionLost, message: "the daemon on \(path) ended the subscription")
      }
      return reply
    }
  }
}
