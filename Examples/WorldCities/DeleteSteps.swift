import RealmSwift

/// The ways to delete, ending with an empty table of everything that the tour created.
struct DeleteSteps {
  let realm: Realm
  let report: Report

  func run() throws {
    report.heading("Delete")
    try contents()
    try oneObject()
    try embeddedObject()
    try collections()
    try cascade()
    try wholeClass()
  }

  /// Removes what an earlier tour left behind when it was interrupted.
  func removeLeftovers() throws {
    try realm.write {
      realm.delete(realm.objects(Postcard.self))
      realm.delete(realm.objects(Trip.self))
      realm.delete(realm.objects(Traveller.self))
      realm.objects(City.self).where { $0.isFavourite }.setValue(false, forKey: "isFavourite")
    }
  }

  private func contents() throws {
    try report.step("take out of a list, a set, a map") {
      let bly = realm.traveller(4)
      let cities = realm.objects(City.self).count
      try realm.write {
        bly.visited.removeAll()
        bly.languages.removeAll()
        bly.diary.removeAll()
      }
      report.expect(realm.objects(City.self).count == cities, "taking out of a list deletes no city")
      return "\(bly.visited.count), \(bly.languages.count), \(bly.diary.count) left, and every city"
    }
  }

  private func oneObject() throws {
    try report.step("delete an object; lists forget it") {
      let polo = realm.traveller(2)
      guard let trip = polo.trips.first else { return "no trip" }
      try realm.write { realm.delete(trip) }
      report.expect(trip.isInvalidated, "the deleted object is invalidated")
      report.expect(polo.trips.isEmpty, "the list holds no deleted object")
      return "\(polo.name) has \(polo.trips.count) trips"
    }
    try report.step("delete an object; links to it become nil") {
      let card = realm.objects(Postcard.self).first
      let senders = realm.objects(Postcard.self).where { $0.sender != nil }
      let before = senders.count
      try realm.write {
        let ghost = realm.create(Traveller.self, value: ["id": 6, "name": "A ghost"])
        card?.sender = ghost
        realm.delete(ghost)
      }
      report.expect(card?.sender == nil && senders.count == before - 1, "one postcard has no sender")
      return "\(grouped(senders.count)) of \(grouped(before)) postcards keep their sender"
    }
  }

  private func embeddedObject() throws {
    try report.step("delete an embedded object") {
      let ida = realm.traveller(3)
      try realm.write {
        if let passport = ida.passport { realm.delete(passport) }
        realm.delete(ida.stamps)
      }
      report.expect(ida.passport == nil && ida.stamps.isEmpty, "no passport, no stamps")
      return "\(ida.name) has no passport and \(ida.stamps.count) stamps"
    }
  }

  private func collections() throws {
    try report.step("delete the results of a query") {
      let cards = realm.objects(Postcard.self)
      try realm.write { realm.delete(cards.where { $0.text.starts(with: "Day 9") }) }
      report.expect(cards.count == 889, "889 postcards are left, not \(cards.count)")
      return "\(grouped(cards.count)) of 1,000 postcards left"
    }
    try report.step("delete a collection of objects") {
      let cards = realm.objects(Postcard.self).prefix(89)
      try realm.write { realm.delete(Array(cards)) }
      let left = realm.objects(Postcard.self).count
      report.expect(left == 800, "800 postcards are left, not \(left)")
      return "\(left) left"
    }
  }

  private func cascade() throws {
    try report.step("cascade by hand: the trips, then the traveller") {
      let ida = realm.traveller(3)
      let trips = realm.objects(Trip.self)
      let before = trips.count
      try realm.write {
        realm.delete(ida.trips)
        realm.delete(ida)
      }
      report.expect(before - trips.count == 2, "two trips went with Ida Pfeiffer")
      return "\(before) trips before, \(trips.count) afterwards"
    }
  }

  private func wholeClass() throws {
    try report.step("delete all objects of a class") {
      try realm.write {
        realm.delete(realm.objects(Postcard.self))
        realm.delete(realm.objects(Trip.self))
        realm.delete(realm.objects(Traveller.self))
      }
      let left = realm.objects(Traveller.self).count + realm.objects(Trip.self).count
      report.expect(left == 0 && realm.objects(Postcard.self).isEmpty, "nothing of the tour is left")
      let cities = realm.objects(City.self).count
      report.expect(cities == WorldData.cityCount, "every city is still there")
      return "the tour is over; \(grouped(cities)) cities remain"
    }
  }
}
