import RealmSwift

/// What a write transaction promises: all of it happens, or none.
struct WriteSteps {
  let realm: Realm
  let report: Report

  private struct ChangedMyMind: Error {}

  func run() throws {
    report.heading("Write transactions")
    try resultOfBlock()
    try beginAndCommit()
    try thrownError()
    try cancelledByHand()
  }

  private func resultOfBlock() throws {
    try report.step("write returns what its block returns") {
      let age = try realm.write {
        realm.traveller(1).age += 1
        return realm.traveller(1).age
      }
      report.expect(age == 22, "Ibn Battuta is 22 now")
      return "\(age)"
    }
  }

  private func beginAndCommit() throws {
    try report.step("beginWrite … commitWrite") {
      realm.beginWrite()
      realm.traveller(2).age = 18
      try realm.commitWrite()
      report.expect(!realm.isInWriteTransaction, "the transaction is over")
      return "\(realm.traveller(2).name) is \(realm.traveller(2).age)"
    }
  }

  private func thrownError() throws {
    try report.step("an error thrown inside rolls everything back") {
      let before = realm.objects(Traveller.self).count
      do {
        try realm.write {
          realm.create(Traveller.self, value: ["id": 99, "name": "Nobody"])
          realm.traveller(1).name = "Somebody else"
          throw ChangedMyMind()
        }
      } catch is ChangedMyMind {}
      let after = realm.objects(Traveller.self).count
      report.expect(before == after, "\(before) travellers before and after")
      report.expect(realm.traveller(1).name == "Ibn Battuta", "the name is the old one")
      return "still \(after) travellers, still \(realm.traveller(1).name)"
    }
  }

  private func cancelledByHand() throws {
    report.step("delete all cities, think again, cancelWrite") {
      realm.beginWrite()
      let cities = realm.objects(City.self)
      realm.delete(cities)
      let inside = cities.count
      realm.cancelWrite()
      report.expect(inside == 0, "no city is left inside the transaction")
      report.expect(cities.count == WorldData.cityCount, "every city is back")
      return "\(grouped(inside)) inside, \(grouped(cities.count)) afterwards"
    }
  }
}
