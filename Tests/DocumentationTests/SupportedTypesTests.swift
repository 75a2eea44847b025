import Foundation
import RealmSwift
import TestSupport
import Testing

extension TypeSamples {
  /// Each class keeps its values in a file, and has the defaults of the article's table.
  struct SupportedTypesTests {
    private let folder = ScratchFolder()

    /// Adds an object to a file and reads it as another opener of the file does.
    private func stored<T: Object>(_ object: T, with others: [ObjectBase.Type] = []) throws -> T {
      let configuration = Realm.Configuration(
        fileURL: folder.file("types.realm"), objectTypes: [T.self] + others)
      try autoreleasepool {
        let realm = try Realm(configuration: configuration)
        try realm.write { realm.add(object) }
      }
      return try Realm(configuration: configuration).objects(T.self).first!
    }

    @Test func integers() throws {
      let new = IntegerValues()
      #expect(new.id == 0 && new.year == 0 && new.count == 1 && new.level == nil && new.ticket == nil)
      new.year = -32_768
      new.ticket = .max
      new.level = -128
      new.gaps.append(objectsIn: [1, nil])
      new.codes.insert(objectsIn: [1, 1, 2])
      new.perDay["Monday"] = .min
      let object = try stored(new)
      #expect(object.year == -32_768 && object.ticket == .max && object.level == -128)
      #expect(Array(object.gaps) == [1, nil] && object.codes.count == 2 && object.perDay["Monday"] == .min)
      #expect(object.realm?.object(ofType: IntegerValues.self, forPrimaryKey: 0) == object)
      #expect(object.readings.isEmpty)
    }

    /// All integer types are stored alike, so that a file with one of them is a file with any other.
    @Test func widthOfIntegers() throws {
      class Narrow: Object {
        @Persisted var number: Int16
        override class func _realmObjectName() -> String? { "Number" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
      }
      class Wide: Object {
        @Persisted var number: Int64
        override class func _realmObjectName() -> String? { "Number" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
      }
      let url = folder.file("numbers.realm")
      try autoreleasepool {
        let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [Narrow.self]))
        try realm.write { _ = realm.create(Narrow.self, value: [300]) }
      }
      try autoreleasepool {
        let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [Wide.self]))
        #expect(realm.objects(Wide.self).first?.number == 300)
        try realm.write { realm.objects(Wide.self).first?.number = 65_537 }
      }
      let realm = try Realm(configuration: .init(fileURL: url, objectTypes: [Narrow.self]))
      #expect(realm.objects(Narrow.self).first?.number == 1)
    }

    @Test func booleans() throws {
      let new = BooleanValues()
      #expect(new.isOpen && new.isChecked == nil)
      new.isChecked = false
      new.answers.append(objectsIn: [true, false])
      new.seen.insert(objectsIn: [true, true])
      new.byName["rain"] = .some(nil)
      let object = try stored(new)
      #expect(object.isChecked == false && Array(object.answers) == [true, false])
      #expect(Array(object.seen) == [true] && object.byName.count == 1)
    }

    @Test func floatingPointNumbers() throws {
      let new = FloatingPointValues()
      #expect(new.latitude == 0 && new.gradient == nil)
      new.latitude = .nan
      new.gradient = .infinity
      new.samples.append(objectsIn: [0.1, -0.0])
      new.thresholds.insert(0.25)
      new.prices["night"] = 12.5
      let object = try stored(new)
      #expect(object.latitude.isNaN && object.gradient == .infinity)
      #expect(object.samples[0] == 0.1 && object.samples[1].sign == .minus)
      #expect(object.thresholds.contains(0.25) && object.prices["night"] == 12.5)
    }

    @Test func strings() throws {
      let new = StringValues()
      #expect(new.code.isEmpty && new.name == "unnamed" && new.email == nil)
      new.code = "AT-7"
      new.email = "\u{E9}@example.org"
      new.remarks = "steep and stony"
      new.lines.append(objectsIn: ["", "b\u{0}c"])
      new.tags.insert(objectsIn: ["a", "a"])
      new.translations["de"] = "steil"
      let object = try stored(new)
      let all = object.realm!.objects(StringValues.self)
      #expect(all.where { $0.email == "e\u{301}@example.org" }.isEmpty)
      #expect(all.where { $0.email == "\u{E9}@example.org" }.count == 1)
      #expect(all.where { $0.remarks.fullTextSearch("stony") }.count == 1)
      #expect(Array(object.lines) == ["", "b\u{0}c"] && object.tags.count == 1)
      #expect(object.translations["de"] == "steil")
    }

    @Test func dates() throws {
      let new = DateValues()
      #expect(abs(new.created.timeIntervalSinceNow) < 3_600 && new.closed == nil)
      let now = Date()
      new.created = now
      new.closed = .distantPast
      new.visits.append(Date(timeIntervalSinceReferenceDate: 0.1))
      new.holidays.insert(.distantFuture)
      new.openedBy["Ida"] = now
      let object = try stored(new)
      #expect(object.created == now && object.closed == .distantPast && object.openedBy["Ida"] == now)
      #expect(object.visits[0].timeIntervalSinceReferenceDate == 0.1)
      #expect(object.holidays.contains(.distantFuture))
    }

    @Test func binaryData() throws {
      let new = BinaryValues()
      #expect(new.thumbnail.isEmpty && new.signature == nil)
      new.thumbnail = Data(repeating: 7, count: 20_000_000)
      new.signature = Data()
      new.pages.append(Data([1]))
      new.digests.insert(Data([2]))
      new.files["a"] = Data([3])
      let object = try stored(new)
      #expect(object.thumbnail.count == 20_000_000 && object.signature == Data())
      #expect(object.pages[0] == Data([1]) && object.digests.contains(Data([2])))
      #expect(object.files["a"] == Data([3]))
    }

    @Test func identifiers() throws {
      let new = IdentifierValues()
      #expect(new.id != IdentifierValues().id && new.session != IdentifierValues().session)
      let (id, session) = (new.id, new.session)
      new.previous = ObjectId("6058f12682b2fbb1f334ef1d")
      new.devices.append(session)
      new.seen.insert(id)
      new.tokens["a"] = session
      let object = try stored(new)
      #expect(object.realm?.object(ofType: IdentifierValues.self, forPrimaryKey: id)?.session == session)
      #expect(object.previous?.stringValue == "6058f12682b2fbb1f334ef1d")
      #expect(object.devices[0] == session && object.seen.contains(id) && object.tokens["a"] == session)
    }

    @Test func decimals() throws {
      let new = DecimalValues()
      #expect(new.price == 0 && new.discount == nil)
      new.price = "1234567890123456789012345678901234"
      new.discount = 0.1
      new.payments.append(objectsIn: [0.1, 0.2])
      new.rates.insert(objectsIn: [1, "1.0"])
      new.balances["EUR"] = "-12.30"
      let object = try stored(new)
      #expect(object.price == "1234567890123456789012345678901234")
      #expect(object.price != "1234567890123456789012345678901235")
      #expect(object.payments.sum() == Decimal128(stringLiteral: "0.3") && object.rates.count == 1)
      #expect(object.discount == 0.1 && object.balances["EUR"] == -12.3)
    }

    @Test func enumerations() throws {
      let new = EnumValues()
      #expect(new.season == .summer && new.grade == .easy && new.worst == nil)
      new.worst = .hard
      new.grades.append(objectsIn: [.easy, .hard])
      new.seasons.insert(.winter)
      new.gradeByName["Ridge"] = .hard
      new.priceBySeason[.winter] = 30
      let object = try stored(new)
      let realm = object.realm!
      #expect(realm.object(ofType: EnumValues.self, forPrimaryKey: Season.summer) == object)
      #expect(realm.objects(EnumValues.self).where { $0.worst > .moderate }.count == 1)
      #expect(object.worst == .hard && object.grades.last == .hard && object.seasons.contains(.winter))
      #expect(object.gradeByName["Ridge"] == .hard && object.priceBySeason[.winter] == 30)
    }

    @Test func customTypes() throws {
      let new = CustomValues()
      #expect(new.checksum.value == 0 && new.page == nil && new.facilities == [])
      new.checksum = Checksum(.max)
      new.page = WebPage(persistedValue: "https://larch.example")
      new.facilities = [.shower, .radio]
      new.pages.append(new.page!)
      new.checksums.insert(Checksum(7))
      new.pageByLanguage["en"] = new.page!
      let object = try stored(new)
      let realm = object.realm!
      #expect(realm.object(ofType: CustomValues.self, forPrimaryKey: Checksum(.max)) == object)
      #expect(object.page?.url.host == "larch.example" && object.facilities.contains(.radio))
      #expect(object.pages.count == 1 && object.checksums.contains(Checksum(7)))
      #expect(object.pageByLanguage["en"]?.url.host == "larch.example")
      try realm.write { object.page = WebPage(persistedValue: "") }
      #expect(object.page == nil)
    }

    @Test func customTypesOfSeveralProperties() throws {
      let new = PositionValues()
      #expect(new.start == Position(latitude: 0, longitude: 0) && new.goal == nil)
      new.start = Position(latitude: 47, longitude: 11)
      new.track.append(new.start)
      let object = try stored(new, with: [PositionRecord.self])
      let realm = object.realm!
      #expect(object.start.longitude == 11 && object.track.first?.latitude == 47)
      let southern = realm.objects(PositionValues.self).where { $0.start.persistableValue.latitude < 48 }
      #expect(southern.count == 1)
    }

    @Test func codableTypes() throws {
      let new = ForecastValues()
      new.today = Forecast(wind: 3.5, summary: "sun")
      new.week.append(Forecast(wind: 9, summary: "storm"))
      let object = try stored(new)
      #expect(object.today?.summary == "sun" && object.week.first?.wind == 9)
      let today = Forecast(wind: 3.5, summary: "sun")
      #expect(object.realm!.objects(ForecastValues.self).where { $0.today == today }.count == 1)
    }

    @Test func anyValues() throws {
      #expect(AnyValues().value == .none && AnyValues().initial == .int(1))
      let values = AnyValues()
      values.value = .string("steep")
      values.parts.append(objectsIn: [.int(1), .double(1), .none])
      values.labels.insert(.bool(true))
      values.settings["volume"] = .fromArray([.int(1)])
      values.settings["guide"] = .object(Warden(value: ["name": "Ida"]))
      let object = try stored(values, with: [Warden.self])
      #expect(object.settings["guide"]?.object(Warden.self)?.name == "Ida")
      let all = object.realm!.objects(AnyValues.self)
      #expect(object.objectSchema["value"]?.isIndexed == true)
      #expect(all.where { $0.value == .string("steep") }.count == 1)
      #expect(object.parts[0] != object.parts[1] && object.labels.contains(.bool(true)))
      #expect(all.where { $0.initial == .double(1) }.count == 1)
      #expect(object.settings["volume"]?.listValue?.first == .int(1))
      let text =
        switch object.value {
        case .none: "nothing"
        case .string(let text): text
        case .int(let number): "\(number)"
        default: "something else"
        }
      #expect(text == "steep")
      #expect(object.value.intValue == nil && object.value.stringValue == "steep")
    }

    @Test func links() throws {
      let new = LinkValues()
      #expect(new.guide == nil && new.start == nil && new.huts.isEmpty && new.next.isEmpty)
      new.guide = Warden(value: ["name": "Ida"])
      new.helpers.insert(new.guide!)
      new.hutByNight["first"] = Hut()
      new.start = Place()
      new.stops.append(Place())
      new.placeByName["camp"] = Place()
      let object = try stored(
        new, with: [Hut.self, Trail.self, Warden.self, Place.self, Visit.self])
      let realm = object.realm!
      try realm.write { realm.add(LinkValues(value: ["previous": object])) }
      #expect(object.next.count == 1 && object.helpers.first == object.guide)
      #expect(object.hutByNight["first"]??.beds == 20 && object.placeByName["camp"]??.type == "Point")
      #expect(object.start?.type == "Point" && object.stops.count == 1)
    }

    /// What compiles and is refused when a realm is opened.
    @Test func whatIsRefused() throws {
      class Refused: Object {
        @Persisted(primaryKey: true) var isMain: Bool
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
      }
      class RefusedSet: Object {
        @Persisted var places: MutableSet<Place>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
      }
      func message(_ types: [ObjectBase.Type]) -> String? {
        let error = #expect(throws: Realm.Error.self) {
          _ = try Realm(configuration: .init(fileURL: folder.file("refused.realm"), objectTypes: types))
        }
        return error?.localizedDescription
      }
      #expect(message([Refused.self])?.contains("cannot be made the primary key") == true)
      #expect(message([RefusedSet.self, Place.self])?.contains("cannot contain embedded") == true)
    }
  }
}
