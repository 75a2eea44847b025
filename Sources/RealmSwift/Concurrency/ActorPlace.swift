import SwiftRuntime

/// An actor that realms are confined to. It is not kept alive, as it mostly owns the realm.
final class ActorPlace: Sendable, CustomStringConvertible {
  weak let actor: (any Actor)?
  /// Keeps the actor's memory, so that no other actor gets its address while this lives.
  private unowned let memory: any Actor
  private let executor: ActorExecutor
  /// Also keeps the order of the work: tasks may get to the actor in another one.
  let mailbox = Mailbox()
  let kept = KeptRealms()

  init(_ actor: any Actor) {
    self.actor = actor
    memory = actor
    executor = ActorExecutor(of: actor)
    identity = ObjectIdentifier(actor)
    typeName = "\(type(of: actor))"
  }

  let identity: ObjectIdentifier
  private let typeName: String

  var isCurrent: Bool { executor.isCurrent(actor) }

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
