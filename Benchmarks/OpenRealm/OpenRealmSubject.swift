import Foundation
import RealmSwift

/// OpenRealm, through its public interface only: live objects, lists and results.
final class OpenRealmSubject: MeasuredDatabase {
  static let system = System.openRealm
  static let fileExtension = "realm"

  private var openRealm: Realm?
  /// The objects that W1 and W10T add.
  var unmanagedDogs: [Dog] = []

  var realm: Realm {
    guard let openRealm else { preconditionFailure("The realm has been closed.") }
    return openRealm
  }

  /// What is read: the realm, or a frozen one of it when it was first read, for works that only read.
  var shown: Realm {
    if getenv("BENCHMARK_FROZEN") == nil { return realm }
    if let frozenRealm { return frozenRealm }
    let frozen = realm.freeze()
    frozenRealm = frozen
    return frozen
  }
  private var frozenRealm: Realm?

  init(path: String, durability: Durability) throws {
    openRealm = try Realm(configuration: Self.configuration(path: path, durability: durability))
  }

  static func configuration(path: String, durability: Durability = .full) -> Realm.Configuration {
    var configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: path))
    if getenv("BENCHMARK_ENCRYPTED") != nil { configuration.encryptionKey = Data(0..<64) }
    if durability == .relaxed {
      configuration.durability = .relaxed
    }
    return configuration
  }

  func close() {
    // A realm closes with the last reference to it.
    frozenRealm = nil
    openRealm = nil
  }

  func prepareInsert(of dataset: Dataset) {
    unmanagedDogs.reserveCapacity(dataset.count)
    var generator = DogGenerator(count: dataset.count)
    for _ in 0..<dataset.count {
      unmanagedDogs.append(Dog(generator.next()))
    }
  }

  func insertDogs(of dataset: Dataset) throws {
    let realm = realm
    try realm.write {
      for dog in unmanagedDogs {
        realm.add(dog)
      }
    }
  }

  func prepareInsert(of text: JSONText) { _ = text.lines }

  func insertDogs(of text: JSONText) throws {
    let realm = realm
    try realm.write { try realm.importJSON(text.lines, as: Dog.self) }
  }

  func prepareDecoding(of text: JSONText) { _ = text.separateLines }

  /// As most programs do it: by `Codable`.
  func decodeDogs(of text: JSONText) throws {
    let realm = realm
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    try realm.write {
      for line in text.separateLines {
        realm.add(try decoder.decode(Dog.self, from: line))
      }
    }
  }

  func discardPrepared() {
    unmanagedDogs = []
  }

  func sumOfAgesAndNameLengths() -> Int {
    var sum = 0
    for dog in shown.objects(Dog.self) {
      sum += dog.age + dog.name.utf8.count
    }
    return sum
  }

  func countOfDogs(youngerThan age: Int) -> Int {
    shown.objects(Dog.self).where { $0.age < age }.count
  }

  func sumOfAges(forKeys keys: [Int]) throws -> Int {
    let realm = shown
    var sum = 0
    for key in keys {
      sum += try Self.found(realm.object(ofType: Dog.self, forPrimaryKey: key)).age
    }
    return sum
  }

  func setAges(_ changes: [AgeChange]) throws {
    let realm = realm
    try realm.write {
      for change in changes {
        try Self.found(realm.object(ofType: Dog.self, forPrimaryKey: change.id)).age = change.age
      }
    }
  }

  func setAgesOneByOne(_ changes: ArraySlice<AgeChange>) throws {
    let realm = realm
    for change in changes {
      try realm.write {
        try Self.found(realm.object(ofType: Dog.self, forPrimaryKey: change.id)).age = change.age
      }
    }
  }

  func showNewest() { realm.refresh() }

  func sumOfAllAges() -> Int {
    realm.objects(Dog.self).sum(ofProperty: "age")
  }

  static func found<Found>(_ object: Found?) throws -> Found {
    guard let object else { throw BenchmarkError("An object was not found by its primary key.") }
    return object
  }
}
