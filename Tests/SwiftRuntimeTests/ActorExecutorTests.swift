import Testing

@testable import SwiftRuntime

@Suite struct ActorExecutorTests {
  private actor Keeper {
    func isCurrent(_ executor: ActorExecutor, of actor: any Actor) -> Bool { executor.isCurrent(actor) }
    var isCurrentObject: Bool { ActorExecutor.current === self }
  }

  @Test func actors() async {
    let (one, other) = (Keeper(), Keeper())
    let executor = ActorExecutor(of: one)
    #expect(await one.isCurrent(executor, of: one))
    #expect(await !other.isCurrent(executor, of: one))
    #expect(!executor.isCurrent(one))
    #expect(await one.isCurrentObject)
  }

  @Test func itIsKnownInATask() { #expect(ActorExecutor.isKnown) }
}
