import RealmSwift
import Synchronization

/// What it costs to read a property of a managed object, and to get one while iterating.
struct ObjectAccess {
  let path: String
  let dataset: Dataset
  let repetitions: Int
  let options: Options
  let log: RunLog

  private static let readCount = 10_000_000

  func run() throws -> [Measurement] {
    let database = try OpenRealmSubject(path: path, durability: .full)
    defer { database.close() }
    let id = DogGenerator.renamedID(count: dataset.count) - 1
    let age = dataset.ages[id]
    let nameLength = dataset.names[id].utf8.count
    let realm = database.realm
    let dog = try OpenRealmSubject.found(realm.object(ofType: Dog.self, forPrimaryKey: id))

    return try [
      measure("property-int", "read an Int property", nanoseconds: 5, per: Self.readCount) {
        guard Self.sumOfAges(of: dog) == age * Self.readCount else { throw wrongAnswer("property-int") }
      },
      measure("property-string", "read a short String property", nanoseconds: 20, per: Self.readCount) {
        guard Self.sumOfNameLengths(of: dog) == nameLength * Self.readCount else {
          throw wrongAnswer("property-string")
        }
      },
      measure("accessor", "iterate, an object a row", nanoseconds: 80, per: dataset.count) {
        var count = 0
        for each in realm.objects(Dog.self) {
          withExtendedLifetime(each) { count += 1 }
        }
        guard count == dataset.count else { throw wrongAnswer("accessor") }
      },
      keptAccessors(realm),
    ].compactMap { $0 }
  }

  /// The fence costs no instruction on x86, but keeps the compiler from reading once for the whole loop.
  private static func sumOfAges(of dog: Dog) -> Int {
    var sum = 0
    for _ in 0..<readCount {
      sum &+= dog.age
      atomicMemoryFence(ordering: .acquiringAndReleasing)
    }
    return sum
  }

  private static func sumOfNameLengths(of dog: Dog) -> Int {
    var sum = 0
    for _ in 0..<readCount {
      sum &+= dog.name.utf8.count
      atomicMemoryFence(ordering: .acquiringAndReleasing)
    }
    return sum
  }

  /// The objects stay alive, so that none can take the memory of the one before. Releasing them is not timed.
  private func keptAccessors(_ realm: Realm) throws -> Measurement? {
    var kept: [Dog] = []
    return try measure(
      "accessor-kept", "iterate, all objects kept", nanoseconds: 80, per: dataset.count,
      prepare: {
        kept = []
        kept.reserveCapacity(dataset.count)
      },
      body: {
        for dog in realm.objects(Dog.self) {
          kept.append(dog)
        }
        guard kept.count == dataset.count else { throw wrongAnswer("accessor-kept") }
      })
  }

  private func measure(
    _ work: String, _ title: String, nanoseconds: Double, per count: Int, prepare: () -> Void = {},
    body: () throws -> Void
  ) throws -> Measurement? {
    guard options.includes(work) else { return nil }
    var samples = Samples()
    for _ in 0..<repetitions {
      prepare()
      samples.append(try Stopwatch.seconds(of: body) / Double(count))
    }
    var measurement = Measurement(
      work: work, title: title, unit: .nanoseconds, target: .atMost(nanoseconds * 1e-9))
    measurement.figures[.openRealm] = samples.median
    log.samples([.openRealm: samples], of: work, unit: .nanoseconds)
    return measurement
  }

  private func wrongAnswer(_ work: String) -> BenchmarkError {
    BenchmarkError("\(work): wrong answer.")
  }
}
