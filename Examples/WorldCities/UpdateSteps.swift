import Foundation
import RealmSwift

/// The ways to change objects: by assignment, by key, many at once, and by primary key.
struct UpdateSteps {
  let realm: Realm
  let report: Report

  func run() throws {
    report.heading("Update")
    try assignment()
    try keyValueCoding()
    try bulk()
    try upsert()
  }

  private func assignment() throws {
    try report.step("assign properties") {
      let polo = realm.traveller(2)
      try realm.write {
        polo.name = "Marco Polo, merchant"
        polo.age += 24
      }
      return "\(polo.name), \(polo.age)"
    }
  }

  private func keyValueCoding() throws {
    try report.step("setValue(_:forKey:) on one object") {
      let polo = realm.traveller(2)
      try realm.write { polo.setValue("Marco Polo", forKey: "name") }
      report.expect(polo.value(forKey: "name") as? String == "Marco Polo", "the name is set by key")
      return polo.name
    }
    try report.step("setValue(_:forKeyPath:) follows links") {
      let ida = realm.traveller(3)
      try realm.write { ida.setValue("A 1846", forKeyPath: "passport.number") }
      report.expect(ida.passport?.number == "A 1846", "the passport number is set by key path")
      return "passport \(ida.passport?.number ?? "-")"
    }
    try report.step("setValue of results fills a list") {
      let nellie = realm.traveller(4)
      let large = realm.objects(City.self).where { $0.country.code == "GB" && $0.population > 1_000_000 }
      try realm.write { nellie.setValue(large, forKey: "visited") }
      report.expect(nellie.visited.count == large.count, "the list holds every city of the results")
      return nellie.visited.map(\.name).sorted().joined(separator: ", ")
    }
  }

  private func bulk() throws {
    let cities = realm.objects(City.self)
    try report.step("setValue on all results of a query") {
      let japanese = cities.where { $0.country.code == "JP" }
      try realm.write { japanese.setValue(true, forKey: "isFavourite") }
      let favourites = cities.where { $0.isFavourite }.count
      report.expect(favourites == 1_300, "1,300 favourite cities, not \(favourites)")
      return "\(grouped(favourites)) Japanese cities are favourites"
    }
    try report.step("the same in a loop: each object is live") {
      try realm.write {
        for city in cities.filter("isFavourite == true") { city.isFavourite = false }
      }
      let favourites = cities.where { $0.isFavourite }.count
      report.expect(favourites == 0, "no favourite city is left")
      return "\(favourites) favourites left"
    }
    try report.step("a property of all \(grouped(WorldData.cityCount)) cities, and back") {
      try realm.write { cities.setValue(true, forKey: "isFavourite") }
      let favourites = cities.where { $0.isFavourite }.count
      try realm.write { cities.setValue(false, forKey: "isFavourite") }
      report.expect(favourites == WorldData.cityCount, "every city is a favourite")
      return "\(grouped(favourites)) set and reset"
    }
  }

  private func upsert() throws {
    try report.step("upsert: add(_:update: .modified)") {
      let newer = Traveller(value: ["id": 1, "name": "Ibn Battuta", "age": 29, "home": realm.city(.tangier)])
      try realm.write { realm.add(newer, update: .modified) }
      // All properties of an object count as given, its empty lists too.
      report.expect(realm.traveller(1).visited.isEmpty, "the object's empty list replaced the old one")
      return "\(realm.traveller(1).name) is \(realm.traveller(1).age)"
    }
    try report.step("upsert: add(_:update: .all)") {
      let newer = Traveller(value: ["id": 1, "name": "Ibn Battuta", "age": 45, "home": realm.city(.tangier)])
      try realm.write { realm.add(newer, update: .all) }
      return "\(realm.traveller(1).name) is \(realm.traveller(1).age)"
    }
    try report.step("partial upsert: create(…, update: .modified)") {
      let value: [String: Any] = ["id": 1, "age": 50, "visited": [["id": Place.quanzhou.rawValue]]]
      let battuta = try realm.write { realm.create(Traveller.self, value: value, update: .modified) }
      report.expect(battuta.name == "Ibn Battuta", "what the dictionary leaves out stays")
      report.expect(battuta.visited.first?.name == "Quanzhou", "the linked city is found by its key")
      return "\(battuta.name), \(battuta.age), in \(battuta.visited.first?.name ?? "nowhere")"
    }
    try report.step("partial upsert of somebody new") {
      let count = realm.objects(Traveller.self).count
      let basho = try realm.write {
        let value: [String: Any] = ["id": 5, "name": "Bashō", "home": realm.city(.kyoto)]
        return realm.create(Traveller.self, value: value, update: .modified)
      }
      report.expect(realm.objects(Traveller.self).count == count + 1, "one traveller more")
      return "\(basho.name) of \(basho.home?.name ?? "nowhere")"
    }
  }
}
