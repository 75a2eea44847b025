import Foundation
import RealmSwift

/// The ways to make objects and bring them into a realm.
struct CreateSteps {
  let realm: Realm
  let report: Report

  func run() throws {
    report.heading("Create")
    try plainObject()
    try fromDictionary()
    try fromArray()
    try nested()
    try fromJSON()
    try sequence()
    try links()
    try collections()
    try anyValues()
    try copyToAnotherRealm()
  }

  private func plainObject() throws {
    try report.step("init, assign properties, realm.add") {
      let battuta = Traveller()
      battuta.id = 1
      battuta.name = "Ibn Battuta"
      battuta.age = 21
      battuta.home = realm.city(.tangier)
      try realm.write { realm.add(battuta) }
      report.expect(battuta.realm == realm, "the very instance that was added is managed")
      return "\(battuta.name), \(battuta.age), of \(battuta.home?.name ?? "nowhere")"
    }
  }

  private func fromDictionary() throws {
    try report.step("init(value:) from a dictionary") {
      let polo = Traveller(value: ["id": 2, "name": "Marco Polo", "age": 17, "home": realm.city(.venice)])
      try realm.write { realm.add(polo) }
      return "\(polo.name), \(polo.age), of \(polo.home?.name ?? "nowhere")"
    }
  }

  private func fromArray() throws {
    try report.step("init(value:) from an array, in order") {
      let trip = Trip(value: ["The Silk Road", 1_200, realm.city(.samarkand)])
      try realm.write {
        realm.add(trip)
        realm.traveller(2).trips.append(trip)
      }
      return "\(trip.title), \(grouped(trip.days)) days, to \(trip.destination?.name ?? "nowhere")"
    }
  }

  private func nested() throws {
    try report.step("realm.create with a whole graph in one value") {
      let value: [String: Any] = [
        "id": 3,
        "name": "Ida Pfeiffer",
        "age": 45,
        "passport": ["number": "A 1842", "issued": Date(timeIntervalSince1970: -4_042_310_400)],
        "stamps": [["place": "Lima", "year": 1848], ["Kyoto", 1849]] as [Any],
        "trips": [["title": "Around the world", "days": 548], ["Iceland", 180]] as [Any],
        "languages": ["de", "fr", "en"],
        "diary": ["Lima": "fog"],
      ]
      let ida = try realm.write { realm.create(Traveller.self, value: value) }
      report.expect(ida.stamps.last?.place == "Kyoto", "Ida's second stamp comes from Kyoto")
      report.expect(ida.trips.count == 2, "Ida has two trips")
      let number = ida.passport?.number ?? "-"
      return "\(ida.name): \(ida.trips.count) trips, \(ida.stamps.count) stamps, passport \(number)"
    }
  }

  private func fromJSON() throws {
    try report.step("realm.create from JSONSerialization") {
      let text = """
        {"id": 4, "name": "Nellie Bly", "age": 25, "shoe size": 37,
         "trips": [{"title": "Around the world", "days": 72}]}
        """
      let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
      let nellie = try realm.write { realm.create(Traveller.self, value: json) }
      return "\(nellie.name), \(nellie.trips.first?.days ?? 0) days; the unknown key was ignored"
    }
  }

  private func sequence() throws {
    try report.step("realm.add a sequence of objects") {
      let nellie = realm.traveller(4)
      let postcards = (1...1_000).map { Postcard(value: ["text": "Day \($0)", "sender": nellie]) }
      try realm.write { realm.add(postcards) }
      let count = realm.objects(Postcard.self).count
      report.expect(count == 1_000, "1,000 postcards, not \(count)")
      return "\(grouped(count)) postcards, the first is \(postcards[0]._id)"
    }
  }

  private func links() throws {
    try report.step("fill a list of links") {
      let battuta = realm.traveller(1)
      try realm.write {
        battuta.visited.append(realm.city(.timbuktu))
        battuta.visited.append(objectsIn: [realm.city(.samarkand), realm.city(.quanzhou)])
        battuta.visited.insert(realm.city(.tangier), at: 0)
      }
      return battuta.visited.map(\.name).joined(separator: " → ")
    }
    try report.step("an inverse link fills itself") {
      let ida = realm.traveller(3)
      guard let trip = ida.trips.first else { return "none" }
      try realm.write { realm.traveller(4).trips.append(trip) }
      let names = trip.travellers.map(\.name).sorted()
      report.expect(names == ["Ida Pfeiffer", "Nellie Bly"], "two travellers share a trip")
      return "\(trip.title): \(names.joined(separator: ", "))"
    }
  }

  private func collections() throws {
    try report.step("a set keeps each value once") {
      let battuta = realm.traveller(1)
      try realm.write { battuta.languages.insert(objectsIn: ["ar", "fa", "tr", "ar", "ber"]) }
      report.expect(battuta.languages.count == 4, "Ibn Battuta speaks four languages")
      return battuta.languages.sorted().joined(separator: ", ")
    }
    try report.step("a map; keys with a dot are percent-encoded") {
      let bly = realm.traveller(4)
      let place = realm.city(.saintJohns).name
      try realm.write {
        bly.diary["London"] = "rain"
        bly.diary[MapKey.encode(place)] = "icebergs"
      }
      report.expect(bly.diary[MapKey.encode(place)] == "icebergs", "the encoded key is found again")
      let entries = bly.diary.map { "\(MapKey.decode($0.key)): \($0.value)" }
      return entries.sorted().joined(separator: ", ")
    }
  }

  private func anyValues() throws {
    try report.step("AnyRealmValue: one property, many types") {
      let values: [AnyRealmValue] = [
        .int(12), .string("an astrolabe"), .double(4.5), .bool(true), .decimal128("19.99"),
        .object(realm.city(.lima)), .fromArray([.string("ink"), .int(3)]), .none,
      ]
      let polo = realm.traveller(2)
      var read: [String] = []
      for value in values {
        try realm.write { polo.luggage = value }
        read.append(describe(polo.luggage))
      }
      report.expect(
        read == ["12", "an astrolabe", "4.5", "true", "19.99", "Lima", "list of 2", "nothing"],
        "each value comes back as it was stored")
      return read.joined(separator: ", ")
    }
  }

  private func copyToAnotherRealm() throws {
    try report.step("realm.create copies an object to another realm") {
      let scratch = try Realm(configuration: .init(inMemoryIdentifier: "WorldCities tour"))
      let original = realm.objects(Trip.self).where { $0.title == "Iceland" }.first
      guard let original else { return "no trip to copy" }
      let copy = try scratch.write { scratch.create(Trip.self, value: original) }
      let result = "\(copy.title), \(copy.days) days, in an in-memory realm"
      report.expect(copy.realm != original.realm, "the copy belongs to the other realm")
      try scratch.write { scratch.deleteAll() }
      report.expect(scratch.isEmpty, "deleteAll empties the other realm")
      return result
    }
  }

  private func describe(_ value: AnyRealmValue) -> String {
    switch value {
    case .none: "nothing"
    case .int(let number): "\(number)"
    case .bool(let flag): "\(flag)"
    case .double(let number): "\(number)"
    case .string(let text): text
    case .decimal128(let number): "\(number)"
    case .object: value.object(City.self)?.name ?? "an object"
    case .list(let list): "list of \(list.count)"
    default: "something else"
    }
  }
}

/// Keys of a map cannot contain a dot nor begin with a dollar sign.
enum MapKey {
  private static let allowed = CharacterSet(charactersIn: ".$%").inverted

  static func encode(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: allowed) ?? text
  }

  static func decode(_ key: String) -> String {
    key.removingPercentEncoding ?? key
  }
}
