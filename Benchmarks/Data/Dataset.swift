/// The dogs that every workload starts from, generated in memory before any clock runs.
///
/// A dog's primary key is its index. Columns are kept apart, so that each system builds its own kind of
/// record from them.
struct Dataset {
  static let seed: UInt64 = 42
  static let dogsPerPerson = 1000

  private(set) var names: [String] = []
  private(set) var ages: [Int] = []
  /// Indices into `DogGenerator.colors`.
  private(set) var colors: [UInt8] = []
  private(set) var weights: [Double] = []
  /// Seconds since 1970.
  private(set) var born: [Int] = []
  private(set) var vaccinated: [Bool] = []
  private(set) var packedNames = PackedStrings()

  var count: Int { names.count }
  var peopleCount: Int { count / Self.dogsPerPerson }

  init(count: Int) {
    names.reserveCapacity(count)
    ages.reserveCapacity(count)
    colors.reserveCapacity(count)
    weights.reserveCapacity(count)
    born.reserveCapacity(count)
    vaccinated.reserveCapacity(count)
    var generator = DogGenerator(count: count)
    for _ in 0..<count {
      let dog = generator.next()
      names.append(dog.name)
      packedNames.append(dog.name)
      ages.append(dog.age)
      colors.append(UInt8(dog.color))
      weights.append(dog.weight)
      born.append(dog.born)
      vaccinated.append(dog.vaccinated)
    }
  }
}

/// Makes the dogs one by one, for whoever wants no second copy of them in memory.
struct DogGenerator {
  struct Record {
    var id: Int
    var name: String
    var age: Int
    /// An index into `colors`.
    var color: Int
    var weight: Double
    /// Seconds since 1970.
    var born: Int
    var vaccinated: Bool
  }

  static let colors = ["black", "white", "brown", "red", "golden", "gray", "cream", "blue"]
  static let renamedDog = "Wolfie"

  private static let namePrefixes = (0..<64).map { ($0 < 10 ? "Name0" : "Name") + String($0) }

  private let renamedID: Int
  private var random = SplitMix64(seed: Dataset.seed)
  private var nextID = 0

  init(count: Int) {
    renamedID = Self.renamedID(count: count)
  }

  /// The one dog that is called `renamedDog`.
  static func renamedID(count: Int) -> Int {
    777_777 % count
  }

  static func name(from value: UInt64) -> String {
    namePrefixes[Int(value % 64)] + "-" + String(value >> 44)
  }

  mutating func next() -> Record {
    let id = nextID
    nextID += 1
    let name = Self.name(from: random.next())
    return Record(
      id: id,
      name: id == renamedID ? Self.renamedDog : name,
      age: random.next(below: 20),
      color: random.next(below: Self.colors.count),
      weight: Double(random.next(below: 80_000)) / 1000.0,
      born: 1_000_000_000 + random.next(below: 700_000_000),
      vaccinated: random.next() & 1 == 1)
  }
}
