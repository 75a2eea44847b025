/// A database of dogs with indexed names and dates of birth, and of their owners.
protocol KennelDatabase: AnyObject {
  static var system: System { get }

  init(path: String) throws
  func fill(_ dataset: Dataset) throws
  func close() throws

  /// Finds the dogs with each name and adds their ids.
  func sumOfIDs(named names: ArraySlice<String>) throws -> Int
  /// Asks for the first dog with each name, and for how many there are, and adds ids and numbers.
  func sumOfFirstIDsAndCounts(named names: ArraySlice<String>) throws -> Int
  /// The ages of the dogs born in a span of time, both ends included, added.
  func sumOfAges(bornFrom first: Int, through last: Int) throws -> Int
  /// The number of dogs whose owners live in a city.
  func countOfDogs(ofOwnersIn city: Int) throws -> Int
  /// The number of owners with more than `count` dogs below an age.
  func countOfOwners(withMoreThan count: Int, dogsYoungerThan age: Int) throws -> Int
  /// The ids of the first residents that each question finds and the lengths of their names, added.
  func sumOfFirstIDsAndNameLengths(_ questions: [ResidentQuestion]) throws -> Int
}

/// Q1 to Q5: queries through indexes and links, beside SQLite with the same indexes.
struct KennelQueries {
  static let works = ["Q1", "Q1F", "Q2", "Q3", "Q4", "Q5"]
  private static let nameCount = 1000
  private static let youngDogs = 100
  static let cityCount = 10

  let dataset: Dataset
  let options: Options
  let log: RunLog

  private struct Query {
    var work: String
    var title: String
    var target: Double
    var expected: Int
    var run: (any KennelDatabase) throws -> Int
  }

  func run(in directory: String) throws -> [Measurement] {
    let queries = queries().filter { options.includes($0.work) }
    if queries.isEmpty { return [] }
    let types: [any KennelDatabase.Type] = [OpenRealmKennel.self, SQLiteKennel.self].filter {
      options.systems.contains($0.system)
    }
    let databases = try types.map { type in
      let database = try type.init(path: "\(directory)/kennel-\(type.system.rawValue)")
      try database.fill(dataset)
      return database
    }
    let measurements = queries.map { measure($0, databases) }
    for database in databases { try database.close() }
    return measurements
  }

  private func queries() -> [Query] {
    let dataset = dataset
    let names = stride(from: 0, to: dataset.count, by: max(1, dataset.count / Self.nameCount))
      .map { dataset.names[$0] }
    var ids: [String: [Int]] = [:]
    for (id, name) in dataset.names.enumerated() { ids[name, default: []].append(id) }
    let (first, last) = (1_300_000_000, 1_306_999_999)
    let bornThen = (0..<dataset.count).filter { (first...last).contains(dataset.born[$0]) }
    let city = 3
    let young = (0..<dataset.peopleCount).count { person in
      let dogs = person * Dataset.dogsPerPerson..<(person + 1) * Dataset.dogsPerPerson
      return dogs.count { dataset.ages[$0] < 2 } > Self.youngDogs
    }
    return [
      Query(
        work: "Q1", title: "indexed ==, 1,000 names", target: 0.8,
        expected: names.reduce(0) { $0 + ids[$1]!.reduce(0, +) }
      ) { try $0.sumOfIDs(named: names[...]) },
      Query(
        work: "Q1F", title: "first and count of indexed ==, 1,000 names", target: 1,
        expected: names.reduce(0) { $0 + ids[$1]![0] + ids[$1]!.count }
      ) { try $0.sumOfFirstIDsAndCounts(named: names[...]) },
      Query(
        work: "Q2", title: "indexed range, 1%", target: 1,
        expected: bornThen.reduce(0) { $0 + dataset.ages[$1] }
      ) { try $0.sumOfAges(bornFrom: first, through: last) },
      Query(
        work: "Q3", title: "condition over a link", target: 0.5,
        expected: (0..<dataset.peopleCount).count { $0 % Self.cityCount == city } * Dataset.dogsPerPerson
      ) { try $0.countOfDogs(ofOwnersIn: city) },
      Query(
        work: "Q4", title: "subquery over lists", target: 0.5, expected: young
      ) { try $0.countOfOwners(withMoreThan: Self.youngDogs, dogsYoungerThan: 2) },
      Query(
        work: "Q5", title: "city and ages, first 20 by age, 1,000 times", target: 1,
        expected: ResidentQuestion.sum(dataset)
      ) { try $0.sumOfFirstIDsAndNameLengths(ResidentQuestion.all) },
    ]
  }

  private func measure(_ query: Query, _ databases: [any KennelDatabase]) -> Measurement {
    var measurement = Measurement(work: query.work, title: query.title, target: .ratio(query.target))
    var samples: [System: Samples] = [:]
    for repetition in 0..<(options.repetitions ?? 5) {
      for offset in databases.indices {
        let database = databases[(offset + repetition) % databases.count]
        let system = type(of: database).system
        guard !measurement.failures.contains(system) else { continue }
        do {
          for _ in 0..<5 {
            var answer = 0
            let seconds = try Stopwatch.seconds { answer = try query.run(database) }
            guard answer == query.expected else {
              throw BenchmarkError("The answer is \(answer) where \(query.expected) was expected.")
            }
            samples[system, default: Samples()].append(seconds)
          }
        } catch {
          measurement.failures.insert(system)
          log.failure(of: system, in: query.work, error)
        }
      }
    }
    for system in measurement.failures { samples[system] = nil }
    measurement.figures = samples.compactMapValues(\.median)
    log.samples(samples, of: query.work)
    return measurement
  }
}
