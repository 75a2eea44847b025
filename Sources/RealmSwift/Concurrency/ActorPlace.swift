import CConcurrencyRuntime

/// An actor that realms are confined to. It is not kept alive, as it mostly owns the realm.
final class ActorPlace: Sendable, CustomStringConvertible {
  weak let actor: (any Actor)?
  /// Keeps the actor's memory, so that no other actor gets its address while this lives.
  private unowned let memory: any Actor
  private nonisolated(unsafe) let executor: SerialExecutorReference
  /// Also keeps the order of the work: tasks may get to the actor in another one.
  let mailbox = Mailbox()

  init(_ actor: any Actor) {
    self.actor = actor
    memory = actor
    executor = unsafeBitCast(actor.unownedExecutor, to: SerialExecutorReference.self)
    identity = ObjectIdentifier(actor)
    typeName = "\(type(of: actor))"
  }

  let identity: ObjectIdentifier
  private let typeName: String

  var isCurrent: Bool {
    if swift_task_getCurrentExecutor().identity == executor.identity { return true }
    // Executors of the program's own may know better; that of an actor that is gone must not be asked.
    guard let actor else { return false }
    return withExtendedLifetime(actor) { swift_task_isIsolatingCurrentContext(executor) == 1 }
  }

  /// What the current task is isolated to, if anything.
  static var current: AnyObject? {
    swift_task_getCurrentExecutor().identity.map {
      Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Has the actor run something; false when it is gone.
  func post(_ work: @escaping @Sendable () -> Void) -> Bool {
    guard let actor else { return false }
    Task { await actor.perform(work) }
    return true
  }

  var description: String { actor == nil ? "the former actor '\(typeName)'" : "the actor '\(typeName)'" }
}

extension Actor {
  /// Runs work on the actor.
  fileprivate func perform(_ work: @Sendable () -> Void) { work() }
}
