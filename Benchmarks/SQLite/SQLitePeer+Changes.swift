extension SQLitePeer {
  func upsert(_ stream: UpsertStream) throws {
    let upsert = try statement(
      """
      INSERT INTO dog(id, name, age) VALUES(?, ?, ?)
      ON CONFLICT(id) DO UPDATE SET name = excluded.name, age = excluded.age
      """)
    try execute(upsert, stream)
  }

  func upsertObjects(_ stream: UpsertStream) throws {
    let upsert = try statement(
      """
      INSERT INTO dog VALUES(?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT(id) DO UPDATE SET name = excluded.name, age = excluded.age, color = excluded.color,
        weight = excluded.weight, born = excluded.born, vaccinated = excluded.vaccinated
      """)
    upsert.bind("", at: 4)
    upsert.bind(0.0, at: 5)
    upsert.bind(0, at: 6)
    upsert.bind(0, at: 7)
    try execute(upsert, stream)
  }

  private func execute(_ upsert: SQLiteStatement, _ stream: UpsertStream) throws {
    try transaction {
      try stream.packedNames.withPointers { names in
        for index in 0..<stream.count {
          upsert.bind(stream.ids[index], at: 1)
          upsert.bind(names[index], at: 2)
          upsert.bind(stream.ages[index], at: 3)
          try upsert.execute()
        }
      }
    }
  }

  func prepareInsert(of text: JSONText) { _ = text.array }

  func insertDogs(of text: JSONText) throws {
    let insert = try statement(
      """
      INSERT INTO dog SELECT value ->> 'id', value ->> 'name', value ->> 'age', value ->> 'color',
        value ->> 'weight', value ->> 'born', value ->> 'vaccinated'
      FROM json_each(?)
      """)
    try text.array.withUnsafeBufferPointer { array in
      insert.bind(UnsafeBufferPointer(rebasing: array.dropLast()), at: 1)
      try transaction { try insert.execute() }
    }
  }

  func setColor(_ color: String, ofDogsYoungerThan age: Int) throws {
    let update = try statement("UPDATE dog SET color = ? WHERE age < ?")
    update.bind(color, at: 1)
    update.bind(age, at: 2)
    try update.execute()
  }

  func deleteDogs(agedExactly age: Int) throws {
    let delete = try statement("DELETE FROM dog WHERE age = ?")
    delete.bind(age, at: 1)
    try delete.execute()
  }

  func appendDogsToPeople(count: Int, dogsPerPerson: Int) throws {
    let insertPerson = try statement("INSERT INTO person VALUES(?, ?)")
    let append = try statement("INSERT INTO person_dogs VALUES(?, ?, ?)")
    try transaction {
      for person in 0..<count {
        insertPerson.bind(person, at: 1)
        insertPerson.bind("Person \(person)", at: 2)
        try insertPerson.execute()
        append.bind(person, at: 1)
        for position in 0..<dogsPerPerson {
          append.bind(position, at: 2)
          append.bind(person * dogsPerPerson + position, at: 3)
          try append.execute()
        }
      }
    }
  }

  func sumOfAgesThroughPeople() throws -> Int {
    let people = try statement("SELECT id FROM person")
    let dogs = try statement(
      """
      SELECT dog.age FROM person_dogs JOIN dog ON dog.id = person_dogs.dog
      WHERE person_dogs.person = ? ORDER BY person_dogs.position
      """)
    return try transaction {
      defer { people.reset() }
      var sum = 0
      while try people.step() {
        dogs.bind(people.integer(at: 0), at: 1)
        while try dogs.step() {
          sum += dogs.integer(at: 0)
        }
        dogs.reset()
      }
      return sum
    }
  }
}
