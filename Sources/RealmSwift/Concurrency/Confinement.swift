import CSwiftRuntime
import Dispatch
import Foundation

/// Where a live realm may be used, and where its callbacks run: the main thread, which is the main queue and the
/// main actor as well; another thread; a serial queue; or an actor.
///
/// Programs with an asynchronous `main` serve the main queue on changing threads, so that neither the thread nor
/// the queue alone tells what is main.
struct Confinement: Sendable {
  /// The thread on which no closer look is needed, or 0.
  let thread: UInt
  private let place: Place

  private enum Place: Sendable {
    case main
    case thread(ThreadPlace)
    case queue(DispatchQueue, QueuePlace)
    case actor(ActorPlace)
    /// Of frozen realms.
    case anywhere
  }

  /// What tells the realms of a file apart.
  enum Identity: Hashable, Sendable {
    case main
    case thread(ObjectIdentifier)
    case queue(ObjectIdentifier)
    case actor(ObjectIdentifier)
    case anywhere
  }

  private init(thread: UInt, _ place: Place) {
    self.thread = thread
    self.place = place
  }

  /// The current thread, or main when that is what runs here.
  static var current: Confinement {
    if CurrentPlace.isMain { return main }
    let place = ThreadPlace.current
    return Confinement(thread: place.thread, .thread(place))
  }

  /// The main thread, main queue and main actor.
  static var main: Confinement { Confinement(thread: Thread.isMainThread ? currentThread() : 0, .main) }

  static let anywhere = Confinement(thread: 0, .anywhere)

  /// A serial queue. Stops the program unless it runs there.
  static func queue(_ queue: DispatchQueue) -> Confinement {
    let place = QueuePlace.of(queue)
    let confinement = place === QueuePlace.main ? main : Confinement(thread: 0, .queue(queue, place))
    if !confinement.isCurrent { trap(.incorrectQueue) }
    return confinement
  }

  /// An actor, which is not kept alive.
  static func actor(_ actor: any Actor) -> Confinement {
    if actor === MainActor.shared { return main }
    return Confinement(thread: 0, .actor(ActorPlace(actor)))
  }

  var identity: Identity {
    switch place {
    case .main: .main
    case .thread(let place): .thread(ObjectIdentifier(place))
    case .queue(_, let place): .queue(ObjectIdentifier(place))
    case .actor(let place): .actor(place.identity)
    case .anywhere: .anywhere
    }
  }

  /// Whether the caller may use the realm.
  var isCurrent: Bool {
    switch place {
    case .main: CurrentPlace.isMain
    case .thread(let place): place.isCurrent
    case .queue(_, let place): place.isCurrent
    case .actor(let place): place.isCurrent
    case .anywhere: true
    }
  }

  /// Whether callbacks can be run here: on a thread, only while it runs a run loop or has an event loop.
  ///
  /// A thread has to ask this once before anything can be scheduled on it.
  var canDeliver: Bool {
    switch place {
    case .main, .queue: true
    case .thread(let place): place.delivers
    case .actor(let place): place.actor != nil
    case .anywhere: false
    }
  }

  /// Whether it is certain that callbacks are run here: on the main thread, only while it runs a run loop or has an event
  /// loop, as programs in other languages do not serve the main queue. Only to be asked here.
  var surelyDelivers: Bool {
    switch place {
    case .main: EventLoop.ofMain != nil || isInTurn
    default: canDeliver
    }
  }

  /// Makes what is needed to schedule work here, before a realm is opened for which work is scheduled.
  ///
  /// - Parameter path: The file of the realm, for the message.
  /// - Throws: `fileAccess` when the process has no descriptor left.
  func prepareDelivery(path: String) throws(Realm.Error) {
    if case .main = place { try MainQueueDescriptor.make(path: path) }
  }

  /// The actor whose isolation is required: the main actor for the main thread. Nil for threads and queues, and
  /// once the actor is gone.
  var actor: (any Actor)? {
    switch place {
    case .main: MainActor.shared
    case .actor(let place): place.actor
    default: nil
    }
  }

  /// Whether the actor that this is confined to is gone, so that another one may have its identity.
  var isGone: Bool {
    if case .actor(let place) = place { return place.actor == nil }
    return false
  }

  /// Runs work here some time later, in the order of the calls. May be called on any thread.
  ///
  /// The work is dropped when the thread has ended, or the actor is gone.
  ///
  /// - Parameters:
  ///   - realm: The number of the realm that the work is for, unless the work keeps it alive: see `forget`.
  ///   - otherwise: Called instead, on any thread, if the work is dropped because the thread or queue no longer exists.
  func schedule(
    for realm: UInt64? = nil, otherwise: (@Sendable () -> Void)? = nil, _ work: @escaping @Sendable () -> Void
  ) {
    guard let mailbox else { return work() }
    mailbox.add(work, for: realm, otherwise: otherwise, post: post)
  }

  /// What is kept here although nothing refers to it; nil where nothing tells when that would have an end, as on the threads
  /// that queues and tasks share.
  var kept: KeptRealms? {
    switch place {
    case .main: QueuePlace.main.kept
    case .thread(let place): place.isOwn ? place.kept : nil
    case .queue(_, let place): place.kept
    case .actor(let place): place.kept
    case .anywhere: nil
    }
  }

  /// Whether this is a turn of the main queue or of a run loop. Only to be asked here.
  var isInTurn: Bool {
    switch place {
    // Another thread serves the main queue, or the main thread runs its loop.
    case .main: !Thread.isMainThread || ThreadPlace.current.hasRunLoop
    case .thread(let place): place.hasRunLoop
    case .queue, .actor, .anywhere: false
    }
  }

  /// Drops what waits here for a realm that is gone.
  func forget(realm: UInt64) { mailbox?.forget(realm: realm) }

  private var mailbox: Mailbox? {
    switch place {
    case .main: QueuePlace.main.mailbox
    case .thread(let place): place.mailbox
    case .queue(_, let place): place.mailbox
    case .actor(let place): place.mailbox
    case .anywhere: nil
    }
  }

  /// Asks the place to run something; false when it is gone.
  private func post(_ work: @escaping @Sendable () -> Void) -> Bool {
    switch place {
    case .main:
      if let loop = EventLoop.ofMain { return loop.post(work) }
      DispatchQueue.main.async(execute: work)
    case .thread(let place): return place.post(work)
    case .queue(let queue, _): queue.async(execute: work)
    case .actor(let place): return place.post(work)
    case .anywhere: work()
    }
    return true
  }
}

extension Confinement: CustomStringConvertible {
  /// As messages name it, for example "the main thread" or "the queue 'import'".
  var description: String {
    switch place {
    case .main: "the main thread"
    case .thread(let place): place.description
    case .queue(let queue, _): "the queue '\(queue.label)'"
    case .actor(let place): place.description
    case .anywhere: "no thread"
    }
  }
}

extension ProgrammerError {
  /// For a use of something that belongs elsewhere, with the name of its class when that is known.
  static func incorrectThread(_ className: String?, of owner: Confinement) -> ProgrammerError {
    .incorrectThread(
      "Realm accessed from incorrect thread. The \(className.map { "'\($0)'" } ?? "Realm") belongs to \(owner), but was used on \(CurrentPlace.text)."
    )
  }
}
