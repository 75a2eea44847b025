extension SQLitePeer: QueryingDatabase {
  func idOfFirstDog(named name: String) throws -> Int? {
    let select = try statement("SELECT id FROM dog WHERE name = ?")
    select.bind(name, at: 1)
    defer { select.reset() }
    // All matches are found, then the first is read, as everywhere.
    var first: Int?
    while try select.step() {
      first = first ?? select.integer(at: 0)
    }
    return first
  }

  func countOfDogs(nameContaining part: String) throws -> Int {
    let count = try statement("SELECT count(*) FROM dog WHERE instr(name, ?) > 0")
    count.bind(part, at: 1)
    return try count.firstInteger() ?? 0
  }

  func countOfCompoundMatches() throws -> Int {
    try statement(
      """
      SELECT count(*) FROM dog
      WHERE (age >= 5 AND weight < 20.0 AND vaccinated = 1) OR color = 'golden'
      """
    ).firstInteger() ?? 0
  }

  func idsOfSortedDogs(readingFirst count: Int) throws -> SortedDogs {
    let select = try statement("SELECT id FROM dog ORDER BY name ASC, age DESC")
    defer { select.reset() }
    return SortedDogs(first: try ids(of: select, first: count))
  }

  func idsOfSortedDogs(limit: Int) throws -> SortedDogs {
    let select = try statement("SELECT id FROM dog ORDER BY name ASC, age DESC LIMIT ?")
    select.bind(limit, at: 1)
    defer { select.reset() }
    return SortedDogs(first: try ids(of: select, first: limit))
  }

  func summary() throws -> DogSummary {
    let select = try statement("SELECT sum(age), avg(weight), min(born), max(born) FROM dog")
    defer { select.reset() }
    _ = try select.step()
    return DogSummary(
      sumOfAges: select.integer(at: 0), averageWeight: select.double(at: 1),
      firstBorn: select.integer(at: 2), lastBorn: select.integer(at: 3))
  }

  func numbersByColor() throws -> [Int] {
    let select = try statement(
      "SELECT count(*), sum(age), avg(weight) FROM dog GROUP BY color ORDER BY color")
    defer { select.reset() }
    var numbers: [Int] = []
    while try select.step() {
      numbers += [
        select.integer(at: 0), select.integer(at: 1), Int((select.double(at: 2) * 1000).rounded()),
      ]
    }
    return numbers
  }

  func countOfDogs() throws -> Int {
    try statement("SELECT count(*) FROM dog").firstInteger() ?? 0
  }

  func countOfDogs(colored color: String) throws -> Int {
    let count = try statement("SELECT count(*) FROM dog WHERE color = ?")
    count.bind(color, at: 1)
    return try count.firstInteger() ?? 0
  }

  func idsOfDogs(ofPerson person: Int) throws -> [Int] {
    let select = try statement("SELECT dog FROM person_dogs WHERE person = ? ORDER BY position")
    select.bind(person, at: 1)
    defer { select.reset() }
    return try ids(of: select, first: .max)
  }

  private func ids(of select: SQLiteStatement, first count: Int) throws -> [Int] {
    var ids: [Int] = []
    while ids.count < count, try select.step() {
      ids.append(select.integer(at: 0))
    }
    return ids
  }
}
