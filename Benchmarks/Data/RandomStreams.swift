/// One dog's new age.
struct AgeChange {
  var id: Int
  var age: Int
}

/// New names and ages for dogs that exist, by primary key; a key may come up more than once.
struct UpsertStream {
  private(set) var ids: [Int] = []
  private(set) var names: [String] = []
  private(set) var ages: [Int] = []
  private(set) var packedNames = PackedStrings()

  var count: Int { ids.count }

  init(seed: UInt64, count: Int, rows: Int) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<count {
      ids.append(random.next(below: rows))
      let name = DogGenerator.name(from: random.next())
      names.append(name)
      packedNames.append(name)
      ages.append(random.next(below: 20))
    }
  }
}

enum RandomStreams {
  static func keys(seed: UInt64, count: Int, rows: Int) -> [Int] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in random.next(below: rows) }
  }

  static func ageChanges(seed: UInt64, count: Int, rows: Int) -> [AgeChange] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      AgeChange(id: random.next(below: rows), age: random.next(below: 20))
    }
  }

  /// Changes that each give a dog an age it does not have at that moment, because a system may skip
  /// writing a record that stays the same. `ages` are those before the first change.
  static func differentAges(seed: UInt64, count: Int, ages: [Int]) -> [AgeChange] {
    var random = SplitMix64(seed: seed)
    var current = ages
    return (0..<count).map { _ in
      let id = random.next(below: ages.count)
      current[id] = (current[id] + 1 + random.next(below: 19)) % 20
      return AgeChange(id: id, age: current[id])
    }
  }
}
