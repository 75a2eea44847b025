import Foundation
import RealmSwift
import TestSupport
import Testing

extension Peak {
  convenience init(_ name: String, metres: Int) {
    self.init()
    self.name = name
    self.metres = metres
  }
}

struct DefiningModelsTests {
  @Test func defaults() throws {
    let mountains = try Mountains()
    let hut = try mountains.realm.write { mountains.realm.create(Hut.self) }
    #expect(hut.beds == 20)
    #expect(hut.altitude == 0)
    #expect(hut.opened == nil)
    #expect(hut.kind == .staffed)
    #expect(hut.remark == .none)
    #expect(hut.visits.isEmpty && hut.languages.isEmpty && hut.prices.isEmpty)
    #expect(hut.id != mountains.larch.id)
    #expect(mountains.summit.isHigh && !mountains.larch.isHigh)
  }

  @Test func initialisers() {
    let peak = Peak("Summit", metres: 3_012)
    #expect(peak.name == "Summit" && peak.metres == 3_012)
  }

  @Test func subclasses() throws {
    let folder = ScratchFolder()
    class Inn: Peak {
      @Persisted var rooms: Int
      override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
    let realm = try Realm(
      configuration: .init(fileURL: folder.file("inns.realm"), objectTypes: [Peak.self, Inn.self]))
    try realm.write { realm.add(Inn(value: ["name": "Inn", "rooms": 3])) }
    #expect(realm.objects(Peak.self).isEmpty && realm.objects(Inn.self).first?.name == "Inn")
  }

  /// The table of what a property has without a value.
  @Test func withoutAValue() {
    class Everything: Object {
      @Persisted var flag: Bool
      @Persisted var text: String
      @Persisted var data: Data
      @Persisted var date: Date
      @Persisted var id: ObjectId
      @Persisted var uuid: UUID
      @Persisted var decimal: Decimal128
      @Persisted var mixed: AnyRealmValue
      @Persisted var kind: HutKind
      @Persisted var website: Website

      override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
    let (one, other) = (Everything(), Everything())
    #expect(!one.flag && one.text.isEmpty && one.data.isEmpty && one.decimal == 0 && one.mixed == .none)
    #expect(one.id != other.id && one.uuid != other.uuid)
    #expect(one.kind == .staffed && one.website.address.isEmpty)
    #expect(abs(one.date.timeIntervalSinceNow) < 3_600)
  }

  @Test func customTypes() throws {
    let mountains = try Mountains()
    try mountains.realm.write { mountains.larch.website = Website(address: "larch.example") }
    #expect(mountains.larch.website?.address == "larch.example")
    #expect(mountains.huts.where { $0.website == Website(address: "larch.example") }.count == 1)
    #expect(mountains.huts.where { $0.kind == .bivouac }.count == 1)
  }

  @Test func otherNames() {
    let property = Peak().objectSchema["metres"]
    #expect(property?.columnName == "height_m")
  }

  @Test func listedClasses() throws {
    let folder = ScratchFolder()
    var configuration = Realm.Configuration(fileURL: folder.file("some.realm"))
    configuration.objectTypes = [Hut.self, Trail.self, Warden.self, Place.self, Visit.self]
    let realm = try Realm(configuration: configuration)
    #expect(realm.schema.objectSchema.map(\.className) == ["Hut", "Place", "Trail", "Visit", "Warden"])
  }

}
