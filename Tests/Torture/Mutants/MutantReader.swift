import Foundation
import RealmSwift

/// Reads everything that a file has, and writes to it, as an app would; in a process that may end.
struct MutantReader {
  private let path: String
  /// Whether the file is first migrated to a schema with more, and back.
  private let migrates: Bool
  private var digest = Digest()

  init(path: String, migrates: Bool) {
    self.path = path
    self.migrates = migrates
  }

  private var configuration: Realm.Configuration {
    .mutant(path, schemaVersion: migrates ? 2 : 0, migrationBlock: { _, _ in })
  }

  /// Returns what stands for all that was read.
  mutating func run() throws -> UInt64 {
    if migrates { try autoreleasepool { try migrate() } }
    try readAndWrite()
    // Once more, since the file was closed.
    let realm = try Realm(configuration: configuration)
    digest.add(realm.objects(MutantDog.self).count)
    query(realm)
    return digest.value
  }

  private func migrate() throws {
    let configuration = Realm.Configuration.mutant(path, schemaVersion: 1, visit: WideMutantVisit.self) {
      migration, _ in
      migration.enumerateObjects(ofType: MutantVisit.className()) { old, new in
        new!["added"] = "\(old!["length"]!) at \(old!["place"] ?? "home")"
      }
      migration.enumerateObjects(ofType: MutantDog.className()) { old, new in
        for property in ["name", "age", "rank", "owner"] { new![property] = new![property] }
        new!["height"] = old!["height"]
      }
    }
    _ = try Realm(configuration: configuration)
  }

  private mutating func readAndWrite() throws {
    let realm = try Realm(configuration: configuration)
    readAll(realm)
    query(realm)
    readAll(realm.freeze())
    try write(realm)
  }

  private mutating func readAll(_ realm: Realm) {
    let dogs = realm.objects(MutantDog.self)
    digest.add(dogs.count)
    for dog in dogs { read(dog) }
    for owner in realm.objects(MutantOwner.self) {
      digest.add(owner.name)
      digest.add(owner.biography)
      digest.add(owner.story)
      digest.add(owner.favourites.count)
      for dog in owner.favourites { digest.add(dog.id) }
      digest.add(owner.dogs.count)
      for dog in owner.dogs { digest.add(dog.id) }
    }
    for note in realm.objects(MutantNote.self) {
      digest.add(note.number)
      digest.add(note.next?.number ?? -1)
      for shared in note.shared { digest.add(shared.number) }
      digest.add(note.owner?.name ?? "none")
    }
    for visit in realm.objects(MutantVisit.self) {
      digest.add(visit.place ?? "none")
      digest.add(visit.day)
      digest.add(visit.length)
    }
  }

  private mutating func read(_ dog: MutantDog) {
    digest.add(dog.id)
    digest.add(dog.name)
    digest.add(dog.age ?? -1)
    digest.add(dog.note ?? "none")
    digest.add(Int(truncatingIfNeeded: dog.weight.bitPattern))
    digest.add(Int(dog.height.bitPattern))
    digest.add(dog.isGood ? 1 : 0)
    digest.add(Int(truncatingIfNeeded: dog.born.timeIntervalSince1970.bitPattern))
    digest.add(dog.picture.count)
    for byte in dog.picture { digest.add(Int(byte)) }
    digest.add(dog.chip.uuidString)
    digest.add(dog.identifier.stringValue)
    digest.add(dog.price.description)
    digest.add(Int(dog.rank))
    read(dog.anything, depth: 0)
    digest.add(dog.owner?.name ?? "none")
    digest.add(dog.collar?.colour ?? "none")
    for collar in dog.formerCollars { digest.add(collar.size) }
    for friend in dog.friends { digest.add(friend.id) }
    for number in dog.numbers { digest.add(number) }
    for word in dog.words { digest.add(word ?? "none") }
    for tag in dog.tags { digest.add(tag) }
    for score in dog.scores {
      digest.add(score.key)
      digest.add(Int(truncatingIfNeeded: (score.value ?? -1).bitPattern))
    }
    for extra in dog.extras {
      digest.add(extra.key)
      read(extra.value, depth: 0)
    }
  }

  private mutating func read(_ value: AnyRealmValue, depth: Int) {
    switch value {
    case .list(let list): for element in list { read(element, depth: depth + 1) }
    case .dictionary(let map):
      for entry in map {
        digest.add(entry.key)
        read(entry.value, depth: depth + 1)
      }
    case .object(let object): digest.add(object.isInvalidated ? 1 : 2)
    case .string(let text): digest.add(text)
    case .int(let number): digest.add(number)
    case .double(let number): digest.add(Int(truncatingIfNeeded: number.bitPattern))
    case .bool(let flag): digest.add(flag ? 1 : 0)
    case .date(let date): digest.add(Int(truncatingIfNeeded: date.timeIntervalSince1970.bitPattern))
    default: digest.add(3)
    }
  }

  /// Filters that go through the chunks, and those that go through each of the indexes.
  private mutating func query(_ realm: Realm) {
    let dogs = realm.objects(MutantDog.self)
    for id in [0, 5, 33, 950, 2_099, 40_000] {
      digest.add(realm.object(ofType: MutantDog.self, forPrimaryKey: id)?.name ?? "none")
    }
    for number in [0, 7, 39, 100] {
      digest.add(realm.object(ofType: MutantOwner.self, forPrimaryKey: "Owner \(number)")?.story ?? "none")
    }
    queryCompoundIndexes(realm)
    digest.add(dogs.where { $0.name == "Dog 77" }.count)
    digest.add(dogs.where { $0.name.starts(with: "changed") }.count)
    digest.add(dogs.where { $0.age > 17 }.count)
    digest.add(dogs.where { $0.age == nil }.count)
    digest.add(dogs.where { $0.rank > 280 }.count)
    digest.add(dogs.where { $0.note.fullTextSearch("bones") }.count)
    digest.add(dogs.where { $0.note.fullTextSearch("walk* -cats") }.count)
    digest.add(dogs.where { $0.note.contains("number 4") }.count)
    digest.add(dogs.where { $0.weight > 100 && $0.isGood }.count)
    digest.add(dogs.where { $0.height < 20 }.count)
    digest.add(dogs.where { $0.owner.name == "Owner 7" }.count)
    digest.add(dogs.where { $0.collar.size > 1_000 }.count)
    digest.add(dogs.where { $0.numbers.contains(1_001) }.count)
    digest.add(dogs.where { $0.tags.contains("tag 3") }.count)
    digest.add(dogs.where { $0.anything == .int(9) }.count)
    digest.add(dogs.where { $0.words.count > 2 }.count)
    digest.add(realm.objects(MutantOwner.self).where { $0.dogs.count > 40 }.count)
    digest.add(realm.objects(MutantOwner.self).where { $0.favourites.weight > 100 }.count)
    for dog in dogs.sorted(byKeyPath: "name").prefix(20) { digest.add(dog.id) }
    for dog in dogs.sorted(byKeyPath: "age", ascending: false).prefix(20) { digest.add(dog.id) }
    for dog in dogs.sorted(byKeyPath: "weight", ascending: false).prefix(20) { digest.add(dog.id) }
    for dog in dogs.distinct(by: ["rank"]).prefix(20) { digest.add(dog.id) }
    digest.add(Int(dogs.sum(of: \.rank)))
    digest.add(Int(truncatingIfNeeded: (dogs.max(of: \.weight) ?? 0).bitPattern))
    digest.add((dogs.min(of: \.age) ?? -1) ?? -1)
  }

  /// Indexes over several properties, and those of rules.
  private mutating func queryCompoundIndexes(_ realm: Realm) {
    let dogs = realm.objects(MutantDog.self)
    for day in [0, 7, 21, 40] {
      let visits: [MutantVisit?] = [nil, "place 1", "place 8"].map {
        realm.object(ofType: MutantVisit.self, forPrimaryKey: ($0 as String?, day))
      }
      for visit in visits { digest.add(visit?.length ?? -1) }
      digest.add(realm.objects(MutantVisit.self).where { $0.place == "place 3" && $0.day > day }.count)
    }
    digest.add(dogs.where { $0.age == 7 && $0.name == "Dog 7" }.count)
    for dog in dogs.where({ $0.age == 3 }).sorted(by: \.name).prefix(20) { digest.add(dog.id) }
    for dog in dogs.sorted(by: [SortDescriptor(keyPath: "age"), SortDescriptor(keyPath: "name")]).prefix(20) {
      digest.add(dog.id)
    }
    for id in [7, 33, 950] {
      digest.add(dogs.where { $0.identifier == MutantBase.dog(id).identifier }.first?.id ?? -1)
      digest.add(dogs.where { $0.born == MutantBase.dog(id).born && $0.note != nil }.count)
    }
    for number in [1, 60, 119, 121] {
      digest.add(realm.object(ofType: MutantNote.self, forPrimaryKey: number)?.next?.number ?? -1)
    }
  }

  private mutating func write(_ realm: Realm) throws {
    let dogs = realm.objects(MutantDog.self)
    var changes = 0
    let token = dogs.observe { _ in changes += 1 }
    defer { token.invalidate() }
    try realm.write {
      let dog = MutantBase.dog(50_000)
      dog.owner = realm.objects(MutantOwner.self).first
      realm.add(dog)
    }
    try realm.write {
      for dog in dogs.prefix(3) {
        dog.name = "written"
        dog.note = "a new note with bones"
        dog.age = 7
        dog.friends.append(dog)
        dog.numbers.insert(4, at: 0)
        dog.tags.insert("written")
        dog.scores["written"] = 4
        dog.anything = .string("written")
        dog.collar = nil
        dog.owner = nil
      }
      if let dog = dogs.last { dog.rank = 9 }
    }
    try realm.write {
      if let dog = dogs.first(where: { $0.id == 35 }) { realm.delete(dog) }
      realm.delete(dogs.where { $0.rank == 17 })
      if let owner = realm.objects(MutantOwner.self).last { realm.delete(owner) }
      if let dog = dogs.first(where: { $0.id == 33 }), dog.numbers.count > 1_000 {
        dog.numbers.removeSubrange(0..<700)
      }
    }
    try writeRuled(realm)
    realm.refresh()
    digest.add(dogs.count)
  }

  /// What is numbered, known by several properties, and deleted with others.
  private mutating func writeRuled(_ realm: Realm) throws {
    try realm.write {
      realm.add(MutantNote())
      let visit = MutantVisit(value: ["place 1", 7, 9_000] as [Any])
      realm.add(visit, update: .modified)
      realm.create(MutantVisit.self, value: ["place 9", 7, 1] as [Any], update: .all).day = 8
    }
    try realm.write {
      for number in [2, 31, 77] {
        if let note = realm.object(ofType: MutantNote.self, forPrimaryKey: number) { realm.delete(note) }
      }
    }
    digest.add(realm.objects(MutantNote.self).count)
    digest.add(realm.objects(MutantNote.self).max(of: \.number) ?? -1)
    digest.add(realm.objects(MutantVisit.self).where { $0.day == 8 }.count)
  }
}

/// FNV-1a over what was read.
struct Digest {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ number: Int) {
    value = (value ^ UInt64(bitPattern: Int64(number))) &* 0x100_0000_01B3
    value ^= value >> 32
  }

  mutating func add(_ text: String) {
    add(text.utf8.count)
    for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }
}
