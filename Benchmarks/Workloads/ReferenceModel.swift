/// The workloads done on plain arrays: what every system must answer.
struct ReferenceModel {
  let dataset: Dataset

  func sumOfAgesAndNameLengths() -> Int {
    zip(dataset.ages, dataset.names).reduce(0) { $0 + $1.0 + $1.1.utf8.count }
  }

  func count(where matches: (Int) -> Bool) -> Int {
    (0..<dataset.count).count(where: matches)
  }

  func countOfDogs(nameContaining part: String) -> Int {
    let part = Array(part.utf8)
    return count { id in
      let name = Array(dataset.names[id].utf8)
      guard name.count >= part.count else { return false }
      return (0...(name.count - part.count)).contains { name[$0...].starts(with: part) }
    }
  }

  func countOfCompoundMatches() -> Int {
    count { id in
      (dataset.ages[id] >= 5 && dataset.weights[id] < 20.0 && dataset.vaccinated[id])
        || DogGenerator.colors[Int(dataset.colors[id])] == "golden"
    }
  }

  func order(first count: Int) -> Answer {
    let ids = (0..<dataset.count).sorted { one, other in
      let (name, otherName) = (dataset.names[one], dataset.names[other])
      return name == otherName ? dataset.ages[one] > dataset.ages[other] : name < otherName
    }
    return order(SortedDogs(first: Array(ids.prefix(count)), last: ids.last))
  }

  func order(_ dogs: SortedDogs) -> Answer {
    func key(_ id: Int) -> Answer.SortKey {
      Answer.SortKey(name: dataset.names[id], age: dataset.ages[id])
    }
    guard Set(dogs.first).count == dogs.first.count else { return .nothing }
    return .order(dogs.first.map(key), last: dogs.last.map(key))
  }

  func summary() -> DogSummary {
    DogSummary(
      sumOfAges: dataset.ages.reduce(0, +),
      averageWeight: dataset.weights.reduce(0, +) / Double(dataset.count),
      firstBorn: dataset.born.min()!, lastBorn: dataset.born.max()!)
  }

  func numbersByColor() -> [Int] {
    DogGenerator.colors.indices.sorted { DogGenerator.colors[$0] < DogGenerator.colors[$1] }.flatMap {
      color in
      let dogs = dataset.colors.indices.filter { dataset.colors[$0] == color }
      let weight = dogs.reduce(0.0) { $0 + dataset.weights[$1] }
      return [
        dogs.count, dogs.reduce(0) { $0 + dataset.ages[$1] },
        Int((weight / Double(dogs.count) * 1000).rounded()),
      ]
    }
  }

  func sumOfAges(forKeys keys: [Int]) -> Int {
    keys.reduce(0) { $0 + dataset.ages[$1] }
  }

  /// The ages of all dogs, added, after changes in their order.
  func sumOfAges(after changes: some Sequence<AgeChange>) -> Int {
    var ages = dataset.ages
    for change in changes {
      ages[change.id] = change.age
    }
    return ages.reduce(0, +)
  }

  func sumOfAgesAndNameLengths(after upserts: UpsertStream) -> Int {
    var names = dataset.names
    var ages = dataset.ages
    for index in 0..<upserts.count {
      names[upserts.ids[index]] = upserts.names[index]
      ages[upserts.ids[index]] = upserts.ages[index]
    }
    return zip(ages, names).reduce(0) { $0 + $1.0 + $1.1.utf8.count }
  }
}
