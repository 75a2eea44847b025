/// W1 and W10 to W17: changing a million dogs and walking the lists that were made.
struct WriteWorkloads {
  let model: ReferenceModel

  private static let changeCount = 100_000

  private var dataset: Dataset { model.dataset }

  func insert() -> Workload {
    var workload = Workload.forAll(
      "W1", "insert, 1 durable transaction", target: 0.6, repetitions: 3, start: .emptyFile,
      published: .number(22_437_687), expected: { _ in .number(model.sumOfAgesAndNameLengths()) },
      review: { database, _ in .number(try database.sumOfAgesAndNameLengths()) },
      run: { database, _ in
        try database.insertDogs(of: dataset)
        return .nothing
      })
    workload.prepare = { try $0.prepareInsert(of: dataset) }
    return workload
  }

  func changes() -> [Workload] {
    [
      upsert(), upsertObjects(), update(), bulkUpdate(),
      smallTransactions(
        "W13", "1,000 durable transactions", target: 0.8, seed: 10, count: 1000, durability: .full),
      smallTransactions(
        "W14", "20,000 transactions, no sync", target: 0.8, seed: 11, count: 20_000, durability: .relaxed),
    ] + insertJSON()
  }

  func listsAndDeletion() -> [Workload] {
    [append(), walk(), delete()]
  }

  private func upsert() -> Workload {
    upsert("W10", "upsert 100k", target: 0.25) { try $0.upsert($1) }
  }

  private func upsertObjects() -> Workload {
    var workload = upsert("W10T", "upsert 100k objects", target: 0.2) { try $0.upsertObjects($1) }
    let stream = upsertStream
    workload.prepare = { ($0 as! any QueryingDatabase).prepareUpsert(stream) }
    return workload
  }

  private var upsertStream: UpsertStream {
    UpsertStream(seed: 8, count: Self.changeCount, rows: dataset.count)
  }

  private func upsert(
    _ name: String, _ title: String, target: Double,
    _ upsert: @escaping (any QueryingDatabase, UpsertStream) throws -> Void
  ) -> Workload {
    let stream = upsertStream
    let ages = zip(stream.ids, stream.ages).map { AgeChange(id: $0, age: $1) }
    return .forQuerying(
      name, title, target: target, repetitions: 3, start: .copyOfDogs,
      published: .numbers([9_497_518, model.sumOfAgesAndNameLengths(after: stream)]),
      expected: { _ in
        .numbers([model.sumOfAges(after: ages), model.sumOfAgesAndNameLengths(after: stream)])
      },
      review: { database, _ in
        .numbers([try database.sumOfAllAges(), try database.sumOfAgesAndNameLengths()])
      },
      run: { database, _ in
        try upsert(database, stream)
        return .nothing
      })
  }

  private func insertJSON() -> [Workload] {
    let text = JSONText(dataset)
    var direct = insertJSON("W22J", "import lines of JSON") { try $0.insertDogs(of: text) }
    direct.prepare = { ($0 as! any QueryingDatabase).prepareInsert(of: text) }
    var decoding = insertJSON("W22", "lines of JSON by Codable") { try $0.decodeDogs(of: text) }
    decoding.prepare = { ($0 as! any QueryingDatabase).prepareDecoding(of: text) }
    return [decoding, direct]
  }

  private func insertJSON(
    _ name: String, _ title: String, _ insert: @escaping (any QueryingDatabase) throws -> Void
  ) -> Workload {
    .forQuerying(
      name, title, target: 1, repetitions: 3, start: .emptyFile,
      published: .number(22_437_687), expected: { _ in .number(model.sumOfAgesAndNameLengths()) },
      review: { database, _ in .number(try database.sumOfAgesAndNameLengths()) },
      run: { database, _ in
        try insert(database)
        return .nothing
      })
  }

  private func update() -> Workload {
    let changes = RandomStreams.ageChanges(seed: 9, count: Self.changeCount, rows: dataset.count)
    return .forAll(
      "W11", "update 100k", target: 0.15, repetitions: 3, start: .copyOfDogs,
      published: .number(9_495_475), expected: { _ in .number(model.sumOfAges(after: changes)) },
      review: { database, _ in .number(try database.sumOfAllAges()) },
      run: { database, _ in
        try database.setAges(changes)
        return .nothing
      })
  }

  private func bulkUpdate() -> Workload {
    .forQuerying(
      "W12", "bulk update of half the rows", target: 0.05, repetitions: 3, start: .copyOfDogs,
      published: .number(500_735), expected: { _ in .number(model.count { dataset.ages[$0] < 10 }) },
      review: { database, _ in .number(try database.countOfDogs(colored: "Toronto")) },
      run: { database, _ in
        try database.setColor("Toronto", ofDogsYoungerThan: 10)
        return .nothing
      })
  }

  /// One stream runs on over the repetitions, on one file per system.
  private func smallTransactions(
    _ work: String, _ title: String, target: Double, seed: UInt64, count: Int, durability: Durability
  ) -> Workload {
    let repetitions = 5
    let changes = RandomStreams.differentAges(seed: seed, count: count * repetitions, ages: dataset.ages)
    return .forAll(
      work, title, target: target, repetitions: repetitions, start: .keptCopyOfDogs,
      durability: durability,
      expected: { .number(model.sumOfAges(after: changes[..<(($0 + 1) * count)])) },
      review: { database, _ in .number(try database.sumOfAllAges()) },
      run: { database, repetition in
        try database.setAgesOneByOne(changes[(repetition * count)..<((repetition + 1) * count)])
        return .nothing
      })
  }

  private func append() -> Workload {
    .forQuerying(
      "W15", "list appends", target: 0.1, repetitions: 3, start: .copyOfDogs,
      published: .numbers([9_496_573] + expectedListSample.dropFirst()),
      expected: { _ in .numbers(expectedListSample) },
      review: { database, _ in .numbers(try listSample(of: database)) },
      run: { database, _ in
        try database.appendDogsToPeople(count: dataset.peopleCount, dogsPerPerson: Dataset.dogsPerPerson)
        return .nothing
      })
  }

  /// The sum of the ages through all lists, and the dogs of the first, a middle and the last person.
  private func listSample(of database: any QueryingDatabase) throws -> [Int] {
    try [database.sumOfAgesThroughPeople()] + sampledPeople.flatMap(database.idsOfDogs(ofPerson:))
  }

  private var expectedListSample: [Int] {
    let size = Dataset.dogsPerPerson
    return [sumOfOwnedAges] + sampledPeople.flatMap { ($0 * size)..<(($0 + 1) * size) }
  }

  private var sumOfOwnedAges: Int {
    dataset.ages.prefix(dataset.peopleCount * Dataset.dogsPerPerson).reduce(0, +)
  }

  private var sampledPeople: [Int] {
    [0, dataset.peopleCount / 2, dataset.peopleCount - 1]
  }

  private func walk() -> Workload {
    .forQuerying(
      "W16", "walk the lists", target: 0.4, repetitions: 5, start: .people, published: .number(9_496_573),
      expected: { _ in .number(sumOfOwnedAges) },
      run: { database, _ in .number(try database.sumOfAgesThroughPeople()) })
  }

  private func delete() -> Workload {
    .forQuerying(
      "W17", "delete by query", target: 0.15, repetitions: 3, start: .copyOfDogs,
      published: .number(949_968), expected: { _ in .number(model.count { dataset.ages[$0] != 3 }) },
      review: { database, _ in .number(try database.countOfDogs()) },
      run: { database, _ in
        try database.deleteDogs(agedExactly: 3)
        return .nothing
      })
  }
}
