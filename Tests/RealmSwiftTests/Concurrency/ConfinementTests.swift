import Dispatch
import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Where a realm may be used, how work gets there, and what the message says when it is used elsewhere.
@Suite struct ConfinementTests {
  final class ConfinedBoat: Object {
    @Persisted var name = ""
    @Persisted var crew: List<String>
    @Persisted var tender: ConfinedBoat?
    @Persisted(originProperty: "tender") var mothers: LinkingObjects<ConfinedBoat>
  }

  private static func file() throws -> ScratchRealm {
    let file = ScratchRealm([ConfinedBoat.self])
    try file.write { realm in
      let boat = realm.create(ConfinedBoat.self, value: ["name": "Argo", "crew": ["Jason"]])
      boat.tender = boat
    }
    return file
  }

  actor Harbour {
    var realm: RealmCore?
    var order: [Int] = []

    func open(_ file: ScratchRealm) throws {
      realm = try Opening.open(file.configuration, at: .actor(self), from: nil)
    }
    func close() { realm = nil }
    func isCurrent(_ confinement: Confinement) -> Bool { confinement.isCurrent }
    func name() -> String { Realm(realm!).objects(ConfinedBoat.self)[0].name }
    func boat() -> UncheckedBox<ConfinedBoat> { UncheckedBox(Realm(realm!).objects(ConfinedBoat.self)[0]) }
    func use(_ boat: UncheckedBox<ConfinedBoat>) -> String { boat.value.name }
    func note(_ number: Int) { order.append(number) }
    func confinement() -> Confinement { .actor(self) }
  }

  struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  // MARK: Where it is current

  @Test func threads() throws {
    let here = UncheckedBox(Confinement.current)
    #expect(here.value.isCurrent)
    #expect(here.value.identity == Confinement.current.identity)
    let other = try onOtherThread {
      #expect(!here.value.isCurrent)
      return UncheckedBox(Confinement.current)
    }
    #expect(other.value.identity != here.value.identity)
    #expect(!other.value.canDeliver)
    #expect(!other.value.isCurrent)
  }

  @Test func aLaterThreadIsAnotherOne() throws {
    var seen: Set<Confinement.Identity> = []
    var kept: [Confinement] = []
    for _ in 0..<20 {
      let confinement = try onOtherThread { Confinement.current }
      kept.append(confinement)
      #expect(seen.insert(confinement.identity).inserted)
    }
    withExtendedLifetime(kept) {}
  }

  @Test @MainActor func mainIsOne() async {
    let main = Confinement.current
    #expect(main.identity == .main)
    #expect(main.isCurrent && main.canDeliver)
    #expect(Confinement.actor(MainActor.shared).identity == .main)
    #expect(Confinement.queue(.main).identity == .main)
    #expect(main.actor === MainActor.shared)
    let isMainQueue = await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        continuation.resume(returning: main.isCurrent && Confinement.current.identity == .main)
      }
    }
    #expect(isMainQueue)
    let targetsMain = DispatchQueue(label: "of main", target: .main)
    #expect(
      await withCheckedContinuation { continuation in
        targetsMain.async { continuation.resume(returning: main.isCurrent) }
      })
    #expect(await Task.detached { main.isCurrent }.value == false)
    #expect(await Task.detached { Confinement.current.identity }.value != .main)
  }

  @Test func queues() {
    // Labels do not tell queues apart.
    let queue = DispatchQueue(label: "same")
    let other = DispatchQueue(label: "same")
    let inner = DispatchQueue(label: "inner", target: queue)
    let confinement = queue.sync { Confinement.queue(queue) }
    #expect(!confinement.isCurrent)
    #expect(queue.sync { confinement.isCurrent && confinement.canDeliver })
    #expect(!other.sync { confinement.isCurrent })
    #expect(inner.sync { confinement.isCurrent })
    #expect(queue.sync { Confinement.queue(queue).identity } == confinement.identity)
    let ofInner = inner.sync { Confinement.queue(inner) }
    #expect(ofInner.identity != confinement.identity)
    #expect(inner.sync { confinement.isCurrent && ofInner.isCurrent })
    #expect(!queue.sync { ofInner.isCurrent })
  }

  @Test func actors() async throws {
    let harbour = Harbour()
    let other = Harbour()
    let confinement = Confinement.actor(harbour)
    #expect(confinement.identity == Confinement.actor(harbour).identity)
    #expect(confinement.identity != Confinement.actor(other).identity)
    #expect(!confinement.isCurrent)
    #expect(await harbour.isCurrent(confinement))
    #expect(await !other.isCurrent(confinement))
    #expect(await MainActor.run { !confinement.isCurrent })
    #expect(confinement.actor === harbour)
  }

  @Test func actorsAreNotKeptAlive() {
    var harbour: Harbour? = Harbour()
    let confinement = Confinement.actor(harbour!)
    #expect(!confinement.isGone && confinement.canDeliver)
    harbour = nil
    #expect(confinement.isGone && !confinement.canDeliver && !confinement.isCurrent)
    #expect(confinement.actor == nil)
    for _ in 0..<100 { #expect(Confinement.actor(Harbour()).identity != confinement.identity) }
  }

  /// An actor that runs its tasks on a queue.
  actor QueueActor {
    final class Executor: SerialExecutor {
      let queue = DispatchQueue(label: "executor")
      func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
      }
    }
    let executor = Executor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    func isCurrent(_ confinement: Confinement) -> Bool { confinement.isCurrent }
  }

  @Test func actorsWithExecutors() async {
    let actor = QueueActor()
    let confinement = Confinement.actor(actor)
    #expect(await actor.isCurrent(confinement))
    #expect(!confinement.isCurrent)
    #expect(await !QueueActor().isCurrent(confinement))
  }

  // MARK: Work that is scheduled

  private func inOrder(_ confinement: Confinement) async {
    let count = 200
    let seen = Mutex<[Int]>([])
    await withCheckedContinuation { continuation in
      for number in 0..<count {
        confinement.schedule {
          #expect(confinement.isCurrent)
          seen.withLock { $0.append(number) }
          if number == count - 1 { continuation.resume() }
        }
      }
    }
    #expect(seen.withLock { $0 } == Array(0..<count))
  }

  @Test func onTheMainQueue() async { await inOrder(.actor(MainActor.shared)) }

  @Test func onAQueue() async {
    let queue = DispatchQueue(label: "work")
    await inOrder(queue.sync { .queue(queue) })
  }

  @Test func onAnActor() async {
    let harbour = Harbour()
    await inOrder(.actor(harbour))
    withExtendedLifetime(harbour) {}
  }

  @Test func onAThreadWithARunLoop() async {
    let thread = RunLoopThread()
    let confinement = thread.confinement
    #expect(confinement.canDeliver)
    await inOrder(confinement)
    // One at a time, when the loop sleeps.
    for _ in 0..<20 {
      await withCheckedContinuation { continuation in confinement.schedule { continuation.resume() } }
    }
    thread.stop()
  }

  @Test func aRealmIsFoundAgainWhileItLives() throws {
    let file = try Self.file()
    let queue = DispatchQueue(label: "live")
    nonisolated(unsafe) var realm: Realm? = queue.sync {
      try! Realm(configuration: file.configuration, queue: queue)
    }
    let handle = realm!.core.handle!
    let names = Mutex<[String]>([])
    for _ in 0..<3 {
      handle.scheduled { core in
        names.withLock { $0.append(Realm(core).objects(ConfinedBoat.self)[0].name) }
      }
    }
    queue.sync {}
    #expect(names.withLock { $0 } == ["Argo", "Argo", "Argo"])
    queue.sync { realm = nil }
    handle.scheduled { _ in Issue.record("The realm is gone.") }
    // Also when there is another one in its place.
    queue.sync { realm = try! Realm(configuration: file.configuration, queue: queue) }
    handle.scheduled { _ in Issue.record("The realm is gone.") }
    queue.sync {}
    // A realm that is kept alive until then.
    let isRun = Mutex(false)
    queue.sync {
      realm!.core.scheduled(keepingAlive: true) { _ in isRun.withLock { $0 = true } }
      realm = nil
      #expect(RealmFiles.isOpen(file.configuration))
    }
    queue.sync {}
    #expect(isRun.withLock { $0 })
    queue.sync { #expect(!RealmFiles.isOpen(file.configuration)) }
  }

  // MARK: Realms of actors and of main

  @Test func actorsHaveTheirOwn() async throws {
    let file = try Self.file()
    let harbour = Harbour()
    try await harbour.open(file)
    #expect(await harbour.name() == "Argo")
    let boat = await harbour.boat()
    for _ in 0..<10 { #expect(await harbour.use(boat) == "Argo") }
    await harbour.close()
  }

  @Test @MainActor func mainRealmsAreOne() async throws {
    let file = try Self.file()
    let realm = try file.open()
    await Task.yield()
    #expect(try file.open() == realm)
    #expect(try Realm(configuration: file.configuration, queue: .main) == realm)
    #expect(try Realm(Opening.open(file.configuration, at: .actor(MainActor.shared), from: nil)) == realm)
    #expect(realm.objects(ConfinedBoat.self)[0].name == "Argo")
    // Whatever thread serves the main queue.
    let box = UncheckedBox(realm)
    let names = await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        continuation.resume(returning: box.value.objects(ConfinedBoat.self).map(\.name) as [String])
      }
    }
    #expect(names == ["Argo"])
  }

  // MARK: Elsewhere

  private func expect(_ result: ExitTest.Result?, _ texts: String...) {
    for text in ["Realm accessed from incorrect thread. The "] + texts { expectStop(result, saying: text) }
  }

  @Test func objectsOfThreads() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let boat = UncheckedBox(try Self.file().open().objects(ConfinedBoat.self)[0])
      nonisolated(unsafe) var name = ""
      let isStarted = DispatchSemaphore(value: 0)
      let thread = Thread {
        // Foundation ignores the name until `start` has returned.
        isStarted.waitOrStop()
        Thread.current.name = "pirate"
        name = boat.value.name
      }
      thread.start()
      isStarted.signal()
      waitToBeStopped()
      print(name)
    }
    expect(result, "The 'ConfinedBoat' belongs to", "but was used on the thread", "'pirate'")
  }

  @Test func objectsOfThreadsThatEnded() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = try Self.file()
      let (boat, thread) = try onOtherThread {
        let boat = UncheckedBox(try file.open().objects(ConfinedBoat.self)[0])
        return (boat, try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self"))
      }
      try waitUntil { !FileManager.default.fileExists(atPath: "/proc/" + thread) }
      await MainActor.run { print(boat.value.name) }
    }
    expect(result, "The 'ConfinedBoat' belongs to the ended thread", "but was used on the main thread")
  }

  @Test func objectsOfQueues() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = try Self.file()
      let (queue, other) = (DispatchQueue(label: "import"), DispatchQueue(label: "export"))
      let boat = queue.sync {
        UncheckedBox(
          try! Realm(configuration: file.configuration, queue: queue).objects(ConfinedBoat.self)[0])
      }
      other.sync { print(boat.value.name) }
    }
    expect(result, "The 'ConfinedBoat' belongs to the queue 'import', but was used on the queue 'export'.")
  }

  @Test func objectsOfActors() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let harbour = Harbour()
      try await harbour.open(Self.file())
      let boat = await harbour.boat()
      print(await Harbour().use(boat))
    }
    expect(result, "The 'ConfinedBoat' belongs to the actor 'Harbour', but was used on the actor 'Harbour'.")
  }

  @Test func collectionsOfQueues() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = try Self.file()
      let queue = DispatchQueue(label: "import")
      let crew = queue.sync {
        UncheckedBox(
          try! Realm(configuration: file.configuration, queue: queue).objects(ConfinedBoat.self)[0].crew)
      }
      print(crew.value.count)
    }
    expect(result, "The 'List<string>' belongs to the queue 'import', but was used on the thread")
  }

  @Test func resultsOfQueues() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = try Self.file()
      let queue = DispatchQueue(label: "import")
      let boats = queue.sync {
        UncheckedBox(
          try! Realm(configuration: file.configuration, queue: queue).objects(ConfinedBoat.self))
      }
      print(boats.value.count)
    }
    expect(result, "The 'Results<ConfinedBoat>' belongs to the queue 'import'")
  }

  @Test func realmsOfQueues() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let file = try Self.file()
      let queue = DispatchQueue(label: "import")
      let realm = queue.sync {
        UncheckedBox(try! Realm(configuration: file.configuration, queue: queue))
      }
      realm.value.beginWrite()
    }
    expect(result, "The Realm belongs to the queue 'import'")
  }
}
