import RealmSwift

/// Changing what lies inside an object: maps, sets, mixed values, embedded objects.
struct CollectionSteps {
  let realm: Realm
  let report: Report

  func run() throws {
    report.heading("Update collections and embedded objects")
    try maps()
    try sets()
    try lists()
    try anyValues()
    try embedded()
  }

  private func maps() throws {
    let bly = realm.traveller(4)
    let saintJohns = MapKey.encode(realm.city(.saintJohns).name)
    try report.step("map: insert, update, remove") {
      try realm.write {
        bly.diary["Lima"] = "sun"
        bly.diary.updateValue("more rain", forKey: "London")
        bly.diary[saintJohns] = "whales"
        bly.diary.removeObject(for: "Lima")
      }
      report.expect(bly.diary["Lima"] == nil, "a removed key is gone")
      report.expect(bly.diary[saintJohns] == "whales", "the encoded key holds its new value")
      return bly.diary.map { "\(MapKey.decode($0.key)): \($0.value)" }.sorted().joined(separator: ", ")
    }
    try report.step("map: merge, assign nil to remove") {
      try realm.write {
        bly.diary.merge(["Kyoto": "maples", "London": "fog"]) { old, new in "\(old), then \(new)" }
        bly.diary[saintJohns] = nil
      }
      report.expect(bly.diary["London"] == "more rain, then fog", "merging combines the values of a key")
      return bly.diary.map { "\($0.key): \($0.value)" }.sorted().joined(separator: "; ")
    }
  }

  private func sets() throws {
    let ida = realm.traveller(3)
    let battuta = realm.traveller(1)
    try report.step("set: insert, remove, contains") {
      try realm.write {
        battuta.languages.insert(objectsIn: ["ar", "fa", "tr"])
        ida.languages.insert("fa")
        ida.languages.remove("fr")
      }
      report.expect(ida.languages.contains("fa") && !ida.languages.contains("fr"), "fa came, fr went")
      return ida.languages.sorted().joined(separator: ", ")
    }
    try report.step("set: union") {
      try realm.write { ida.languages.formUnion(battuta.languages) }
      report.expect(battuta.languages.isSubset(of: ida.languages), "a union holds both sets")
      return ida.languages.sorted().joined(separator: ", ")
    }
    try report.step("set: intersection") {
      try realm.write { ida.languages.formIntersection(battuta.languages) }
      report.expect(ida.languages.sorted() == ["ar", "fa", "tr"], "the intersection is ar, fa, tr")
      return ida.languages.sorted().joined(separator: ", ")
    }
    try report.step("set: subtract") {
      try realm.write {
        battuta.languages.remove("tr")
        ida.languages.subtract(battuta.languages)
      }
      report.expect(ida.languages.sorted() == ["tr"], "only tr is left")
      return ida.languages.sorted().joined(separator: ", ")
    }
  }

  private func lists() throws {
    try report.step("list: insert, move, replace, remove") {
      let basho = realm.traveller(5)
      try realm.write {
        basho.visited.append(objectsIn: [realm.city(.kyoto), realm.city(.lima), realm.city(.london)])
        basho.visited.move(from: 2, to: 0)
        basho.visited[1] = realm.city(.venice)
        basho.visited.remove(at: 2)
      }
      let names = basho.visited.map(\.name).joined(separator: ", ")
      report.expect(names == "London, Venice", "London, Venice are left, not \(names)")
      return names
    }
  }

  private func anyValues() throws {
    try report.step("AnyRealmValue: change type, change inside") {
      let polo = realm.traveller(2)
      try realm.write {
        polo.luggage = .string("silk")
        polo.luggage = .fromDictionary(["silk": .int(40), "letters": .fromArray([.string("to the Khan")])])
      }
      try realm.write {
        polo.luggage.dictionaryValue?["silk"] = .int(12)
        polo.luggage.dictionaryValue?["letters"]?.listValue?.append(.string("to Venice"))
      }
      let luggage = polo.luggage.dictionaryValue
      report.expect(luggage?["silk"] == .int(12), "12 bales of silk are left")
      report.expect(luggage?["letters"]?.listValue?.count == 2, "two letters")
      let bales = luggage?["silk"]?.intValue ?? 0
      return "\(bales) bales of silk, \(luggage?["letters"]?.listValue?.count ?? 0) letters"
    }
    try report.step("AnyRealmValue: a link, then nothing") {
      let polo = realm.traveller(2)
      try realm.write { polo.luggage = .object(realm.city(.samarkand)) }
      let name = polo.luggage.object(City.self)?.name
      try realm.write { polo.luggage = .none }
      report.expect(name == "Samarkand" && polo.luggage == .none, "Samarkand, then nothing")
      return "\(name ?? "-"), then \(polo.luggage)"
    }
  }

  private func embedded() throws {
    let ida = realm.traveller(3)
    try report.step("embedded object: assign one property") {
      try realm.write { ida.passport?.number = "B 1851" }
      report.expect(ida.passport?.issued != nil, "the other property of the passport stays")
      return "passport \(ida.passport?.number ?? "-")"
    }
    try report.step("embedded object: overwrite it") {
      let old = ida.passport
      try realm.write { ida.passport = Passport(value: ["number": "C 1856"]) }
      report.expect(old?.isInvalidated == true, "the replaced passport is gone")
      report.expect(ida.passport?.issued == nil, "the new passport is another object")
      return "passport \(ida.passport?.number ?? "-")"
    }
    try report.step("embedded objects in a list") {
      try realm.write {
        ida.stamps.append(Stamp(value: ["London", 1851]))
        ida.stamps[0] = Stamp(value: ["Quanzhou", 1847])
      }
      return ida.stamps.map { "\($0.place) \($0.year)" }.joined(separator: ", ")
    }
  }
}
