import Foundation
import RealmSwift
import TestSupport
import Testing

extension DesignSamples {
  struct ModelDesignTests {
    private let folder = ScratchFolder()

    private func open(_ types: ObjectBase.Type...) throws -> Realm {
      try Realm(configuration: .init(fileURL: folder.file("design.realm"), objectTypes: types))
    }

    private func openWithHuts(_ types: ObjectBase.Type...) throws -> Realm {
      let huts: [ObjectBase.Type] = [Hut.self, Trail.self, Warden.self, Place.self, Visit.self]
      return try Realm(configuration: .init(fileURL: folder.file("design.realm"), objectTypes: huts + types))
    }

    @Test func linksAndParts() throws {
      let realm = try openWithHuts(Booking.self, BillingAddress.self)
      let larch = Hut(value: ["name": "Larch"])
      try realm.write {
        let address = ["street": "Main Street 1", "city": "Graz"]
        realm.add(Booking(value: ["hut": larch, "address": address] as [String: Any]))
        realm.add(Booking(value: ["hut": larch]))
      }
      let inGraz = realm.objects(Booking.self).where { $0.address.city == "Graz" }
      #expect(inGraz.count == 1)
      let address = inGraz.first!.address!
      try realm.write { realm.delete(inGraz) }
      #expect(address.isInvalidated && !larch.isInvalidated)
      #expect(realm.objects(Booking.self).first?.hut == larch)
    }

    @Test func keysOfSeveralProperties() throws {
      let realm = try open(Membership.self)
      try realm.write {
        for holder in ["Ida", "Eva"] {
          let values: [String: Any] = ["club": "Alps", "number": 7, "holder": holder]
          realm.create(Membership.self, value: values, update: .modified)
        }
      }
      let member = realm.object(ofType: Membership.self, forPrimaryKey: ("Alps", 7))
      #expect(member?.holder == "Eva" && realm.objects(Membership.self).count == 1)
    }

    @Test func money() throws {
      let realm = try open(Payment.self, CashPayment.self)
      try realm.write {
        for amount: Decimal128 in ["0.10", "0.20"] { realm.create(Payment.self, value: ["amount": amount]) }
        for cents in [10, 20] { realm.create(CashPayment.self, value: ["cents": cents]) }
      }
      let total: Decimal128 = realm.objects(Payment.self).sum(of: \.amount)
      let cents: Int = realm.objects(CashPayment.self).sum(of: \.cents)
      #expect(total == Decimal128(stringLiteral: "0.3") && cents == 30)
      #expect(0.1 + 0.2 != 0.3)
    }

    @Test func enumsThatGrow() throws {
      let realm = try open(Payment.self)
      try realm.write {
        realm.create(Payment.self, value: ["state": PaymentState.paid])
        realm.create(Payment.self, value: ["state": "refunded"])
      }
      let payments = realm.objects(Payment.self)
      #expect(payments.where { $0.state == .paid }.count == 1)
      #expect(payments.last?.state == .unknown("refunded"))
    }

    @Test func days() throws {
      let realm = try open(Tour.self)
      let start = try Date("2026-07-13T23:30:00Z", strategy: .iso8601)
      try realm.write {
        realm.create(Tour.self, value: ["start": start, "day": CalendarDay(2026, 7, 14)] as [String: Any])
      }
      let tours = realm.objects(Tour.self)
      let inJuly = tours.where {
        $0.day >= CalendarDay(2026, 7, 1) && $0.day <= CalendarDay(2026, 7, 31)
      }
      #expect(inJuly.count == 1 && inJuly.first?.day.day == 14)
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = try #require(TimeZone(identifier: tours.first!.timeZone))
      #expect(calendar.component(.day, from: tours.first!.start) == 14)
    }

    @Test func readings() throws {
      let realm = try open(Reading.self)
      let now = Date(timeIntervalSinceReferenceDate: 800_000_000)
      try realm.write {
        for number in 0..<100 {
          let time = now.addingTimeInterval(Double(number - 100) * 3_600)
          let values: [String: Any] = [
            "station": number % 2, "time": time, "temperature": Double(number),
          ]
          realm.create(Reading.self, value: values)
        }
      }
      let lastDay = realm.objects(Reading.self)
        .where { $0.station == 1 && $0.time > now.addingTimeInterval(-86_400) }
        .sorted(by: \.time, ascending: false)
      #expect(lastDay.map(\.temperature) == stride(from: 99.0, to: 76, by: -2).map { $0 })
      let weekAgo = now.addingTimeInterval(-50 * 3_600)
      try realm.write {
        realm.delete(realm.objects(Reading.self).where { $0.time < weekAgo })
      }
      #expect(realm.objects(Reading.self).count == 50)
      let counts = realm.objects(Reading.self).grouped(by: \.station).counts
      #expect(counts[0] == 25 && counts[1] == 25)
    }

    @Test func history() throws {
      let realm = try openWithHuts(PriceChange.self)
      let hut = Hut(value: ["name": "Larch", "prices": ["member": 20.0]] as [String: Any])
      try realm.write { realm.add(hut) }
      try realm.write {
        let change = realm.create(
          PriceChange.self, value: ["hut": hut, "hutName": hut.name, "rate": "member"] as [String: Any])
        change.before = hut.prices["member"]
        change.after = 22.5
        hut.prices["member"] = 22.5
      }
      try realm.write { realm.delete(hut) }
      let change = realm.objects(PriceChange.self).first
      #expect(change?.number == 1 && change?.before == 20 && change?.after == 22.5)
      #expect(change?.hut == nil && change?.hutName == "Larch")
    }

    @Test func softDelete() throws {
      let realm = try open(Guest.self)
      try realm.write { for name in ["Ida", "Eva"] { realm.create(Guest.self, value: ["name": name]) } }
      let guest = realm.objects(Guest.self).where { $0.name == "Ida" }.first!
      try realm.write { guest.deletedAt = Date(timeIntervalSince1970: 0) }
      let guests = realm.objects(Guest.self).where { $0.deletedAt == nil }
      #expect(guests.map(\.name) == ["Eva"])
      let longAgo = Date()
      try realm.write {
        realm.delete(realm.objects(Guest.self).where { $0.deletedAt < longAgo })
      }
      #expect(realm.objects(Guest.self).map(\.name) == ["Eva"])
    }

    @Test func files() throws {
      let realm = try open(Photo.self)
      let pictures = folder.url
      try Data([1, 2, 3]).write(to: folder.file("larch.jpg"))
      try realm.write { realm.create(Photo.self, value: ["path": "larch.jpg"]) }
      let photo = realm.objects(Photo.self).first!
      let picture = try Data(contentsOf: pictures.appending(path: photo.path))
      #expect(picture.count == 3 && photo.thumbnail.isEmpty)
    }

    @Test func indexes() throws {
      let realm = try open(Reading.self)
      try realm.write {
        for number in 0..<10_000 { realm.create(Reading.self, value: ["station": number % 500]) }
      }
      var lines = ""
      func print(_ text: String) { lines = text }
      print(realm.objects(Reading.self).where { $0.station == 7 }.explain())
      #expect(lines.contains("index"))
    }
  }
}
