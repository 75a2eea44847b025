import Foundation
import ProcessTestModels
import RealmSwift

/// The files that mutants are made of.
enum MutantBase: String, CaseIterable {
  /// Some classes of every kind, several chunks, free space, and a log of changes.
  case full
  /// One object.
  case tiny
  /// A file without objects.
  case empty
  /// As the first, but copied while versions were on their way to the disk.
  case pending
  /// As the first, but encrypted.
  case encrypted

  /// Writes the file, and for one with a past also an older version of it.
  func make(path: String, olderPath: String, dogCount: Int) throws {
    switch self {
    case .full, .encrypted: _ = try Self.makeFull(path: path, olderPath: olderPath, dogCount: dogCount)
    case .pending: try Self.makePending(path: path, olderPath: olderPath, dogCount: dogCount)
    case .tiny:
      let realm = try Realm(configuration: .mutant(path))
      try realm.write { realm.add(Self.dog(1)) }
    case .empty: _ = try Realm(configuration: .mutant(path))
    }
    if !FileManager.default.fileExists(atPath: olderPath) {
      try FileManager.default.copyItem(atPath: path, toPath: olderPath)
    }
  }

  private static func makePending(path: String, olderPath: String, dogCount: Int) throws {
    let copy = path + ".copy"
    try autoreleasepool {
      let realm = try makeFull(path: path, olderPath: olderPath, dogCount: dogCount)
      var configuration = realm.configuration
      configuration.durability = .relaxed
      let relaxed = try Realm(configuration: configuration)
      for step in 0..<5 {
        try relaxed.write { relaxed.objects(MutantDog.self)[step].name = "not waited for" }
      }
      try FileManager.default.copyItem(atPath: path, toPath: copy)
    }
    for old in [path, path + "-lock"] { try FileManager.default.removeItem(atPath: old) }
    try FileManager.default.moveItem(atPath: copy, toPath: path)
  }

  private static func makeFull(path: String, olderPath: String, dogCount: Int) throws -> Realm {
    let realm = try Realm(configuration: .mutant(path))
    try realm.write {
      let owners = (0..<40).map { number in
        let owner = MutantOwner()
        owner.name = "Owner \(number)"
        owner.biography = String(repeating: "born in \(number) ", count: number % 3 == 0 ? 30 : 2)
        owner.story = number == 7 ? String(repeating: "a long story ", count: 900) : "short"
        return owner
      }
      realm.add(owners)
      for id in 0..<dogCount {
        let dog = dog(id)
        dog.owner = id % 5 == 0 ? nil : owners[id % owners.count]
        realm.add(dog)
      }
      let dogs = realm.objects(MutantDog.self)
      for (number, owner) in owners.enumerated() {
        for place in 0..<number { owner.favourites.append(dogs[(number * 31 + place * 7) % dogCount]) }
      }
      addNotesAndVisits(realm, owners)
    }
    try realm.writeCopy(
      toFile: URL(fileURLWithPath: olderPath), encryptionKey: realm.configuration.encryptionKey)
    // Small transactions, which leave free space and a log.
    for step in 0..<12 {
      try realm.write {
        let dogs = realm.objects(MutantDog.self)
        dogs[step * 17].name = "changed \(step)"
        dogs[step * 13].friends.append(dogs[step])
        if step % 3 == 0 { realm.delete(dogs[step * 71 + 5]) }
        if step == 6 { realm.delete(dogs.where { $0.id > 900 && $0.id < 960 }) }
      }
    }
    return realm
  }

  private static func addNotesAndVisits(_ realm: Realm, _ owners: [MutantOwner]) {
    for number in 0..<60 {
      let note = MutantNote()
      note.next = MutantNote()
      note.owner = number % 3 == 0 ? owners[number % 20] : nil
      realm.add(note)
      let earlier = realm.objects(MutantNote.self).prefix(number % 4)
      note.shared.append(objectsIn: earlier)
    }
    for number in 0..<200 {
      realm.create(
        MutantVisit.self,
        value: [number % 9 == 0 ? NSNull() : "place \(number % 9)" as Any, number / 9, number] as [Any])
    }
  }

  /// A dog all of whose properties follow from its number.
  static func dog(_ id: Int) -> MutantDog {
    let dog = MutantDog()
    dog.id = id
    dog.name = "Dog \(id % 700)"
    dog.age = id % 11 == 0 ? nil : id % 20
    dog.note = id % 7 == 0 ? nil : "likes \(["bones", "walks", "cats"][id % 3]) and number \(id % 50)"
    dog.weight = Double(id) / 7
    dog.height = Float(id % 90)
    dog.isGood = id % 3 != 0
    dog.born = Date(timeIntervalSince1970: Double(id) * 86_400)
    dog.picture = Data((0..<id % 40).map { UInt8($0) })
    dog.chip = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, UInt8(id >> 8), UInt8(id & 255)))
    dog.identifier = try! ObjectId(string: "0123456789abcdef0000" + hexadecimal(id))
    dog.price = Decimal128(integerLiteral: Int64(id % 1_000))
    dog.rank = Int16(id % 300)
    dog.anything = anything(id)
    dog.words.append(objectsIn: (0..<id % 4).map { $0 == 2 ? nil : "word \($0 + id % 9)" })
    dog.numbers.append(objectsIn: (0..<(id == 33 ? 1_500 : id % 5)).map { $0 * 1_001 })
    for number in 0..<id % 3 { dog.tags.insert("tag \((id + number) % 12)") }
    for number in 0..<id % 3 { dog.scores["key \(number)"] = number == 1 ? nil : Double(id) }
    if id % 50 == 0 {
      dog.extras["plain"] = .int(id)
      dog.extras["nested"] = AnyRealmValue.fromArray([.string("x"), .int(id), anything(id + 1)])
    }
    if id % 4 == 0 {
      let collar = MutantCollar()
      collar.colour = "red \(id % 6)"
      collar.size = id
      dog.collar = collar
    }
    if id % 100 == 0 { dog.formerCollars.append(objectsIn: [MutantCollar(), MutantCollar()]) }
    return dog
  }

  private static func hexadecimal(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }

  private static func anything(_ id: Int) -> AnyRealmValue {
    switch id % 8 {
    case 0: .none
    case 1: .int(id)
    case 2: .string("anything \(id)")
    case 3: .double(Double(id) / 3)
    case 4: .bool(id % 16 == 4)
    case 5: .date(Date(timeIntervalSince1970: Double(id)))
    case 6: AnyRealmValue.fromDictionary(["one": .int(1), "list": AnyRealmValue.fromArray([.int(2)])])
    default: AnyRealmValue.fromArray([.string("first"), .none, .int(id)])
    }
  }
}
