/// The systems that are compared, in the order of the table's columns.
enum System: String, CaseIterable {
  case openRealm = "openrealm"
  case sqlite
  case lmdb
}

enum Durability {
  /// A commit returns when its data is on the disk.
  case full
  /// A commit returns when its data is with the operating system.
  case relaxed
}

/// An open database file of one system, with what every system can do.
///
/// Each method is one workload, written the way a program would best use that system, or a check.
protocol MeasuredDatabase: AnyObject {
  static var system: System { get }
  static var fileExtension: String { get }

  /// Opens the file, or creates it with its schema.
  init(path: String, durability: Durability) throws
  /// Leaves everything in the one file at `path`.
  func close() throws

  /// Builds what `insertDogs` takes for granted: the objects that a program would have in its hands.
  func prepareInsert(of dataset: Dataset) throws
  /// Stores all dogs in one transaction.
  func insertDogs(of dataset: Dataset) throws
  func discardPrepared()

  /// Visits every dog and adds its age and the length of its name in UTF-8.
  func sumOfAgesAndNameLengths() throws -> Int
  func countOfDogs(youngerThan age: Int) throws -> Int
  /// Finds a dog for each key and adds its age.
  func sumOfAges(forKeys keys: [Int]) throws -> Int

  /// Sets all the ages in one transaction.
  func setAges(_ changes: [AgeChange]) throws
  /// Sets each age in a transaction of its own.
  func setAgesOneByOne(_ changes: ArraySlice<AgeChange>) throws

  /// Lets the next query see what others have committed.
  func showNewest()

  /// A check: the ages of all dogs, added.
  func sumOfAllAges() throws -> Int
}

extension MeasuredDatabase {
  func prepareInsert(of dataset: Dataset) throws {}
  func discardPrepared() {}
  func showNewest() {}
}

/// What the systems with a query language can do besides.
protocol QueryingDatabase: MeasuredDatabase {
  func idOfFirstDog(named name: String) throws -> Int?
  func countOfDogs(nameContaining part: String) throws -> Int
  /// Dogs of at least five years, below 20 kg and vaccinated, or golden.
  func countOfCompoundMatches() throws -> Int
  /// All dogs by name, and by falling age among equal names; the first `count` are read.
  func idsOfSortedDogs(readingFirst count: Int) throws -> SortedDogs
  /// The same order, when no more than `limit` dogs are wanted.
  func idsOfSortedDogs(limit: Int) throws -> SortedDogs
  func summary() throws -> DogSummary
  /// For each color in alphabetic order how many dogs have it, the sum of their ages, and their average weight in grams.
  func numbersByColor() throws -> [Int]

  func upsert(_ stream: UpsertStream) throws
  /// Builds what `upsertObjects` takes for granted.
  func prepareUpsert(_ stream: UpsertStream)
  /// Adds or replaces whole dogs in one transaction.
  func upsertObjects(_ stream: UpsertStream) throws
  /// Makes the form of the text that `insertDogs` takes for granted.
  func prepareInsert(of text: JSONText)
  /// Stores all dogs in one transaction.
  func insertDogs(of text: JSONText) throws
  /// The same for the way by objects that are decoded, where a system has such.
  func prepareDecoding(of text: JSONText)
  func decodeDogs(of text: JSONText) throws
  func setColor(_ color: String, ofDogsYoungerThan age: Int) throws
  func deleteDogs(agedExactly age: Int) throws

  /// Creates `count` people and appends to each one's list the dogs that are its own.
  func appendDogsToPeople(count: Int, dogsPerPerson: Int) throws
  /// Walks from every person to its dogs, adding their ages.
  func sumOfAgesThroughPeople() throws -> Int

  /// Opens the file as a new process would, with no more than it needs, and reads one dog.
  static func openAndRead(dog id: Int, at path: String) throws -> OpenedDog

  // Checks.
  func countOfDogs() throws -> Int
  func countOfDogs(colored color: String) throws -> Int
  /// The ids in the list of one person.
  func idsOfDogs(ofPerson person: Int) throws -> [Int]
}

extension QueryingDatabase {
  func prepareUpsert(_ stream: UpsertStream) {}
  func prepareDecoding(of text: JSONText) { prepareInsert(of: text) }
  func decodeDogs(of text: JSONText) throws { try insertDogs(of: text) }
}

struct SortedDogs: Equatable {
  var first: [Int]
  /// The last dog of the whole order, from systems with positional access: it shows that they sorted it all.
  var last: Int?
}

struct DogSummary: Equatable {
  var sumOfAges: Int
  var averageWeight: Double
  /// Seconds since 1970.
  var firstBorn: Int
  var lastBorn: Int

  static func == (one: DogSummary, other: DogSummary) -> Bool {
    one.sumOfAges == other.sumOfAges && one.firstBorn == other.firstBorn && one.lastBorn == other.lastBorn
      // The order of the additions is each system's own.
      && abs(one.averageWeight - other.averageWeight) <= 1e-9 * abs(other.averageWeight)
  }
}
