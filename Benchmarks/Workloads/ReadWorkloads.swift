/// W2 to W9: reading a million dogs.
struct ReadWorkloads {
  let model: ReferenceModel

  private static let keyCount = 100_000
  private static let sortedCount = 100

  func all() -> [Workload] {
    scans() + sorts() + [aggregates(), groups(), lookups()]
  }

  private func scans() -> [Workload] {
    [
      .forAll(
        "W2", "iterate, 2 properties", target: 0.3, repetitions: 5, start: .dogs,
        published: .number(22_437_687), expected: { _ in .number(model.sumOfAgesAndNameLengths()) },
        run: { database, _ in .number(try database.sumOfAgesAndNameLengths()) }),
      .forAll(
        "W3", "count int", target: 0.005, repetitions: 5, start: .dogs, published: .number(99_966),
        expected: { _ in .number(model.count { model.dataset.ages[$0] < 2 }) },
        run: { database, _ in .number(try database.countOfDogs(youngerThan: 2)) }),
      .forQuerying(
        "W4", "find string", target: 0.03, repetitions: 5, start: .dogs, published: .number(777_777),
        expected: { _ in .number(DogGenerator.renamedID(count: model.dataset.count)) },
        run: { database, _ in .number(try database.idOfFirstDog(named: DogGenerator.renamedDog) ?? -1) }),
      .forQuerying(
        "W5", "contains", target: 0.08, repetitions: 5, start: .dogs, published: .number(2417),
        expected: { _ in .number(model.countOfDogs(nameContaining: "ame07-1")) },
        run: { database, _ in .number(try database.countOfDogs(nameContaining: "ame07-1")) }),
      .forQuerying(
        "W6", "compound", target: 0.03, repetitions: 5, start: .dogs, published: .number(206_872),
        expected: { _ in .number(model.countOfCompoundMatches()) },
        run: { database, _ in .number(try database.countOfCompoundMatches()) }),
    ]
  }

  private func sorts() -> [Workload] {
    lazy var order = model.order(first: Self.sortedCount)
    let expected = { (_: Int) in order }
    // The databases find the ids; their order is judged by name and age.
    var dogs = SortedDogs(first: [])
    let review = { (_: any QueryingDatabase, _: Answer) in model.order(dogs) }
    return [
      .forQuerying(
        "W7", "sort all", target: 0.5, repetitions: 3, start: .dogs, expected: expected, review: review,
        run: { database, _ in
          dogs = try database.idsOfSortedDogs(readingFirst: Self.sortedCount)
          return .nothing
        }),
      .forQuerying(
        "W7L", "sort, first 100", target: 0.4, repetitions: 5, start: .dogs, expected: expected,
        review: review,
        run: { database, _ in
          dogs = try database.idsOfSortedDogs(limit: Self.sortedCount)
          return .nothing
        }),
    ]
  }

  private func aggregates() -> Workload {
    .forQuerying(
      "W8", "four aggregates", target: 0.03, repetitions: 5, start: .dogs,
      expected: { _ in .summary(model.summary()) },
      run: { database, _ in .summary(try database.summary()) })
  }

  private func groups() -> Workload {
    var workload = Workload.forQuerying(
      "W8G", "group by, 2 aggregates", target: 0.15, repetitions: 5, start: .dogs,
      expected: { _ in .numbers(model.numbersByColor()) },
      run: { database, _ in .numbers(try database.numbersByColor()) })
    workload.secondsPerRow = 4e-9
    return workload
  }

  private func lookups() -> Workload {
    let keys = RandomStreams.keys(seed: 7, count: Self.keyCount, rows: model.dataset.count)
    return .forAll(
      "W9", "100k key lookups", target: 0.45, repetitions: 5, start: .dogs, published: .number(945_494),
      expected: { _ in .number(model.sumOfAges(forKeys: keys)) },
      run: { database, _ in .number(try database.sumOfAges(forKeys: keys)) })
  }
}
