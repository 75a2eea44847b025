import RealmSwift

extension OpenRealmSubject {
  func upsert(_ stream: UpsertStream) throws {
    let realm = realm
    try realm.write {
      for index in 0..<stream.count {
        realm.create(
          Dog.self,
          value: ["id": stream.ids[index], "name": stream.names[index], "age": stream.ages[index]],
          update: .modified)
      }
    }
  }

  func prepareUpsert(_ stream: UpsertStream) {
    unmanagedDogs = (0..<stream.count).map { index in
      let dog = Dog()
      dog.id = stream.ids[index]
      dog.name = stream.names[index]
      dog.age = stream.ages[index]
      return dog
    }
  }

  func upsertObjects(_ stream: UpsertStream) throws {
    let realm = realm
    try realm.write {
      for dog in unmanagedDogs {
        realm.add(dog, update: .modified)
      }
    }
  }

  func setColor(_ color: String, ofDogsYoungerThan age: Int) throws {
    let realm = realm
    try realm.write {
      realm.objects(Dog.self).where { $0.age < age }.setValue(color, forKey: "color")
    }
  }

  func deleteDogs(agedExactly age: Int) throws {
    let realm = realm
    try realm.write {
      realm.delete(realm.objects(Dog.self).where { $0.age == age })
    }
  }

  func appendDogsToPeople(count: Int, dogsPerPerson: Int) throws {
    let realm = realm
    try realm.write {
      // The dogs come in the order of their insertion, which is that of their owners.
      var dogs = realm.objects(Dog.self).makeIterator()
      for id in 0..<count {
        let person = realm.create(Person.self, value: ["id": id, "name": "Person \(id)"])
        for _ in 0..<dogsPerPerson {
          person.dogs.append(try Self.found(dogs.next()))
        }
      }
    }
  }

  func sumOfAgesThroughPeople() -> Int {
    var sum = 0
    for person in realm.objects(Person.self) {
      for dog in person.dogs {
        sum += dog.age
      }
    }
    return sum
  }
}
