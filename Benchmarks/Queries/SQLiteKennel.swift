/// The same tables and indexes in SQLite, and one for each way that the joins may go.
final class SQLiteKennel: KennelDatabase {
  static let system = System.sqlite
  private let peer: SQLitePeer

  init(path: String) throws {
    peer = try SQLitePeer(path: path + ".sqlite", durability: .full)
    for table in [
      """
      kennel_dog(
        id INTEGER PRIMARY KEY, name TEXT, age INTEGER, born INTEGER, owner INTEGER)
      """,
      "kennel_owner(id INTEGER PRIMARY KEY, city INTEGER)",
      "kennel_resident(id INTEGER PRIMARY KEY, name TEXT, city TEXT, age INTEGER)",
      "kennel_list(owner INTEGER, position INTEGER, dog INTEGER, PRIMARY KEY(owner, position)) WITHOUT ROWID",
    ] { try peer.execute("CREATE TABLE " + table) }
    for index in ["name", "born", "owner"] {
      try peer.execute("CREATE INDEX kennel_by_\(index) ON kennel_dog(\(index))")
    }
    try peer.execute("CREATE INDEX kennel_by_city_and_age ON kennel_resident(city, age)")
  }

  func close() throws { try peer.close() }

  func fill(_ dataset: Dataset) throws {
    let dog = try peer.statement("INSERT INTO kennel_dog VALUES(?, ?, ?, ?, ?)")
    let owner = try peer.statement("INSERT INTO kennel_owner VALUES(?, ?)")
    let list = try peer.statement("INSERT INTO kennel_list VALUES(?, ?, ?)")
    let resident = try peer.statement("INSERT INTO kennel_resident VALUES(?, ?, ?, ?)")
    try peer.transaction {
      for id in 0..<dataset.count {
        resident.bind(id, at: 1)
        resident.bind(dataset.names[id], at: 2)
        resident.bind(ResidentQuestion.city(dataset, id), at: 3)
        resident.bind(ResidentQuestion.age(dataset, id), at: 4)
        try resident.execute()
      }
      for person in 0..<dataset.peopleCount {
        owner.bind(person, at: 1)
        owner.bind(person % KennelQueries.cityCount, at: 2)
        try owner.execute()
        for position in 0..<Dataset.dogsPerPerson {
          let id = person * Dataset.dogsPerPerson + position
          dog.bind(id, at: 1)
          dog.bind(dataset.names[id], at: 2)
          dog.bind(dataset.ages[id], at: 3)
          dog.bind(dataset.born[id], at: 4)
          dog.bind(person, at: 5)
          try dog.execute()
          list.bind(person, at: 1)
          list.bind(position, at: 2)
          list.bind(id, at: 3)
          try list.execute()
        }
      }
    }
    try peer.execute("ANALYZE")
  }

  func sumOfIDs(named names: ArraySlice<String>) throws -> Int {
    let select = try peer.statement("SELECT id FROM kennel_dog WHERE name = ?")
    // One read transaction spares SQLite a lock for every name.
    return try peer.transaction {
      var sum = 0
      for name in names {
        select.bind(name, at: 1)
        while try select.step() { sum += select.integer(at: 0) }
        select.reset()
      }
      return sum
    }
  }

  func sumOfFirstIDsAndCounts(named names: ArraySlice<String>) throws -> Int {
    let first = try peer.statement("SELECT id FROM kennel_dog WHERE name = ? LIMIT 1")
    let count = try peer.statement("SELECT count(*) FROM kennel_dog WHERE name = ?")
    return try peer.transaction {
      var sum = 0
      for name in names {
        first.bind(name, at: 1)
        sum += try first.firstInteger() ?? 0
        count.bind(name, at: 1)
        sum += try count.firstInteger() ?? 0
      }
      return sum
    }
  }

  func sumOfAges(bornFrom first: Int, through last: Int) throws -> Int {
    let sum = try peer.statement("SELECT sum(age) FROM kennel_dog WHERE born BETWEEN ? AND ?")
    sum.bind(first, at: 1)
    sum.bind(last, at: 2)
    return try sum.firstInteger() ?? 0
  }

  func countOfDogs(ofOwnersIn city: Int) throws -> Int {
    let count = try peer.statement(
      "SELECT count(*) FROM kennel_dog d JOIN kennel_owner o ON o.id = d.owner WHERE o.city = ?")
    count.bind(city, at: 1)
    return try count.firstInteger() ?? 0
  }

  func countOfOwners(withMoreThan count: Int, dogsYoungerThan age: Int) throws -> Int {
    let owners = try peer.statement(
      """
      SELECT count(*) FROM (
        SELECT l.owner FROM kennel_list l JOIN kennel_dog d ON d.id = l.dog WHERE d.age < ?
        GROUP BY l.owner HAVING count(*) > ?)
      """)
    owners.bind(age, at: 1)
    owners.bind(count, at: 2)
    return try owners.firstInteger() ?? 0
  }

  func sumOfFirstIDsAndNameLengths(_ questions: [ResidentQuestion]) throws -> Int {
    let select = try peer.statement(
      "SELECT id, name FROM kennel_resident WHERE city = ? AND age BETWEEN ? AND ? ORDER BY age LIMIT ?")
    return try peer.transaction {
      var sum = 0
      for question in questions {
        select.bind(question.city, at: 1)
        select.bind(question.ages.lowerBound, at: 2)
        select.bind(question.ages.upperBound, at: 3)
        select.bind(ResidentQuestion.limit, at: 4)
        while try select.step() { sum += select.integer(at: 0) + select.utf8Length(at: 1) }
        select.reset()
      }
      return sum
    }
  }
}
