internal import AsyncVarlink
package import ContextDiffWire
package import NIOCore
internal import Varlink

/// The events of sessions as they happen, also across restarts of the daemon.
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
/// Each event comes once, in the order of the posts. Where the connection is lost, the sequence connects again: at
/// once, then after growing waits of up to two seconds. It asks for the events behind the last one that it has
/// returned; those that the daemon no longer keeps are counted by ``Element/lost(_:)``.
///
/// The sequence ends when its task is cancelled. It throws ``ContextDiffError`` where no daemon answers the first
/// attempt, and where the daemon refuses: `invalidParameter`, `permissionDenied`, `tooManySubscribers`, `unsupported`,
/// `invalidReply`; and `snapshotTooLarge` where the sessions' names are more than the daemon takes in a call.
public struct EventSequence: AsyncSequence, Sendable {
  /// What the sequence is made of.
  public enum Element: Sendable {
    /// The daemon has taken the subscription: at the beginning, and after each new connection.
    ///
    /// The position is that of the last event that the daemon has given a number. Kept events that were asked for come
    /// next.
    case ready(EventPosition)
    /// A transition was reported.
    case event(Event)
    /// So many events are lost to this subscriber; `nil` where their number is not known.
    case lost(Int?)
  }

  /// The errors that end the sequence.
  public typealias Failure = ContextDiffError

  private let path: String
  private let group: any EventLoopGroup
  private let subscription: SubscribeParameters
  /// What becomes of the connection.
  package enum ConnectionChange: Sendable {
    /// It is lost, having brought replies; another one is not made yet.
    case lost
    /// Another one has brought its first reply, which the sequence has not returned yet.
    case restored
  }

  /// Called at each change of the connection.
  package var onConnectionChange: (@Sendable (ConnectionChange) -> Void)?

  package init(path: String, group: any EventLoopGroup, subscription: SubscribeParameters) {
    self.path = path
    self.group = group
    self.subscription = subscription
  }

  /// An iterator with a subscription of its own, which begins with its first `next()`.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      path: path, group: group, cursor: EventCursor(subscription),
      onConnectionChange: onConnectionChange)
  }

  /// Waits for one element after another; one task at a time may use it.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let path: String
    private let group: any EventLoopGroup
    private var cursor: EventCursor
    private var replies: VarlinkReplies<SubscribeReply>.AsyncIterator?
    private let onConnectionChange: (@Sendable (ConnectionChange) -> Void)?
    /// Whether the present connection has brought a reply; `nil` where none ever has.
    private var isConnected: Bool?

    init(
      path: String, group: any EventLoopGroup, cursor: EventCursor,
      onConnectionChange: (@Sendable (ConnectionChange) -> Void)?
    ) {
      self.onConnectionChange = onConnectionChange
      self.path = path
      self.group = group
      self.cursor = cursor
    }

    /// Waits for the next element; `nil` when the task is cancelled.
    ///
    /// - Throws: ``ContextDiffError`` where no daemon answers the first attempt, and where the daemon refuses, as
    ///   ``EventSequence`` says. Where a connection is lost, another one is made.
    @concurrent
    public mutating func next() async throws(ContextDiffError) -> Element? {
      while let step = try await step() {
        if let element = step.element { return element }
      }
      return nil
    }

    /// A reply of the daemon.
    package struct Step {
      /// The reply's element; `nil` where it only says that all events up to `position` have been sent.
      package let element: Element?
      /// The position behind the reply, from which another subscription can go on.
      package let position: EventPosition
    }

    /// Waits for the next reply, as `next()` does, also for one that has no element.
    @concurrent
    package mutating func step() async throws(ContextDiffError) -> Step? {
      while !Task.isCancelled {
        do {
          let reply = try await nextReply()
          if isConnected == false { onConnectionChange?(.restored) }
          isConnected = true
          let element = cursor.receive(reply)
          return Step(element: element, position: cursor.position)
        } catch {
          replies = nil
          let error = ContextDiffError(error, path: path)
          if error.code == .cancelled { return nil }
          let delay = try cursor.fail(error)
          if isConnected == true {
            onConnectionChange?(.lost)
            isConnected = false
          }
          // It throws only where the task is cancelled, which ends the loop.
          if delay > .zero { try? await Task.sleep(for: delay) }
        }
      }
      return nil
    }

    /// Waits for the next reply of the present connection or, where there is none, of a new one.
    @concurrent
    private mutating func nextReply() async throws -> SubscribeReply {
      if replies == nil {
        let (path, group) = (path, group)
        let client = try await waitingForRoom {
          try await VarlinkClient.connect(
            to: path, frameLimit: Interface.replyLimit, callLimit: Interface.leastCallLimit,
            on: group)
        }
        let subscription = cursor.subscription
        replies = try await client.asking {
          try client.stream(
            Interface.Method.subscribe.fullName, subscription.write,
            decode: SubscribeReply.init(json:))
        }.makeAsyncIterator()
      }
      guard let reply = try await replies?.next() else {
        throw ContextDiffError(
          code: .connectionLost, message: "the daemon on \(path) ended the subscription")
      }
      return reply
    }
  }
}
