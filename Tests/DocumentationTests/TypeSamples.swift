import Foundation
import RealmSwift

/// The classes of the article on supported types: one for each type.
enum TypeSamples {
  class IntegerValues: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var year: Int16
    @Persisted(unique: true) var ticket: Int64?
    @Persisted var count = 1
    @Persisted var level: Int8?
    @Persisted var readings: List<Int>
    @Persisted var gaps: List<Int?>
    @Persisted var codes: MutableSet<Int32>
    @Persisted var perDay: Map<String, Int>
  }

  class BooleanValues: Object {
    @Persisted(indexed: true) var isOpen = true
    @Persisted var isChecked: Bool?
    @Persisted var answers: List<Bool>
    @Persisted var seen: MutableSet<Bool>
    @Persisted var byName: Map<String, Bool?>
  }

  class FloatingPointValues: Object {
    @Persisted var latitude: Double
    @Persisted var gradient: Float?
    @Persisted var samples: List<Double>
    @Persisted var thresholds: MutableSet<Float>
    @Persisted var prices: Map<String, Double?>
  }

  class StringValues: Object {
    @Persisted(primaryKey: true) var code: String
    @Persisted(indexed: true) var name = "unnamed"
    @Persisted(unique: true) var email: String?
    @Persisted(fullText: true) var remarks: String
    @Persisted var lines: List<String>
    @Persisted var tags: MutableSet<String>
    @Persisted var translations: Map<String, String>
  }

  class DateValues: Object {
    @Persisted(indexed: true) var created = Date()
    @Persisted var closed: Date?
    @Persisted var visits: List<Date>
    @Persisted var holidays: MutableSet<Date>
    @Persisted var openedBy: Map<String, Date>
  }

  class BinaryValues: Object {
    @Persisted var thumbnail: Data
    @Persisted var signature: Data?
    @Persisted var pages: List<Data>
    @Persisted var digests: MutableSet<Data>
    @Persisted var files: Map<String, Data>
  }

  class IdentifierValues: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted(indexed: true) var session: UUID
    @Persisted var previous: ObjectId?
    @Persisted var devices: List<UUID>
    @Persisted var seen: MutableSet<ObjectId>
    @Persisted var tokens: Map<String, UUID?>
  }

  class DecimalValues: Object {
    @Persisted var price: Decimal128 = 0
    @Persisted var discount: Decimal128?
    @Persisted var payments: List<Decimal128>
    @Persisted var rates: MutableSet<Decimal128>
    @Persisted var balances: Map<String, Decimal128>
  }

  enum Season: String, PersistableEnum, _MapKey {
    case winter, spring, summer, autumn
  }

  enum Grade: Int, PersistableEnum {
    case easy = 1
    case moderate = 2
    case hard = 3
  }

  class EnumValues: Object {
    @Persisted(primaryKey: true) var season = Season.summer
    @Persisted(indexed: true) var grade: Grade
    @Persisted var worst: Grade?
    @Persisted var grades: List<Grade>
    @Persisted var seasons: MutableSet<Season>
    @Persisted var gradeByName: Map<String, Grade>
    @Persisted var priceBySeason: Map<Season, Int>
  }

  /// 64 bits without a sign, stored as the `Int64` with the same bits.
  struct Checksum: CustomPersistable {
    var value: UInt64

    init(_ value: UInt64) { self.value = value }
    init(persistedValue: Int64) { value = UInt64(bitPattern: persistedValue) }
    var persistableValue: Int64 { Int64(bitPattern: value) }
  }

  /// A URL, stored as a string. Not every string is a URL.
  struct WebPage: FailableCustomPersistable {
    var url: URL

    init?(persistedValue: String) {
      guard let url = URL(string: persistedValue) else { return nil }
      self.url = url
    }
    var persistableValue: String { url.absoluteString }
  }

  struct Facilities: OptionSet, CustomPersistable {
    let rawValue: Int

    static let shower = Facilities(rawValue: 1)
    static let kitchen = Facilities(rawValue: 2)
    static let radio = Facilities(rawValue: 4)

    init(rawValue: Int) { self.rawValue = rawValue }
    init(persistedValue: Int) { rawValue = persistedValue }
    var persistableValue: Int { rawValue }
    func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
  }

  class CustomValues: Object {
    @Persisted(primaryKey: true) var checksum: Checksum
    @Persisted(indexed: true) var page: WebPage?
    @Persisted var facilities: Facilities
    @Persisted var pages: List<WebPage>
    @Persisted var checksums: MutableSet<Checksum>
    @Persisted var pageByLanguage: Map<String, WebPage>
  }

  class PositionRecord: EmbeddedObject {
    @Persisted var latitude: Double
    @Persisted var longitude: Double
  }

  struct Position: CustomPersistable {
    var latitude: Double
    var longitude: Double

    init(latitude: Double, longitude: Double) {
      self.latitude = latitude
      self.longitude = longitude
    }
    init(persistedValue: PositionRecord) {
      self.init(latitude: persistedValue.latitude, longitude: persistedValue.longitude)
    }
    var persistableValue: PositionRecord { PositionRecord(value: [latitude, longitude]) }
  }

  class PositionValues: Object {
    @Persisted var start: Position
    @Persisted var goal: Position?
    @Persisted var track: List<Position>
  }

  struct Forecast: Codable, FailableCustomPersistable {
    var wind: Double
    var summary: String

    init(wind: Double, summary: String) {
      self.wind = wind
      self.summary = summary
    }
    init?(persistedValue: Data) {
      guard let value = try? JSONDecoder().decode(Forecast.self, from: persistedValue) else { return nil }
      self = value
    }
    var persistableValue: Data {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return (try? encoder.encode(self)) ?? Data()
    }
  }

  class ForecastValues: Object {
    @Persisted var today: Forecast?
    @Persisted var week: List<Forecast>
  }

  class AnyValues: Object {
    @Persisted var value: AnyRealmValue
    @Persisted var initial = AnyRealmValue.int(1)
    @Persisted var parts: List<AnyRealmValue>
    @Persisted var labels: MutableSet<AnyRealmValue>
    @Persisted var settings: Map<String, AnyRealmValue>

    override class func indexedProperties() -> [String] { ["value"] }
  }

  class LinkValues: Object {
    @Persisted var guide: Warden?
    @Persisted var huts: List<Hut>
    @Persisted var helpers: MutableSet<Warden>
    @Persisted var hutByNight: Map<String, Hut?>
    @Persisted var start: Place?
    @Persisted var stops: List<Place>
    @Persisted var placeByName: Map<String, Place?>
    @Persisted(originProperty: "previous") var next: LinkingObjects<LinkValues>
    @Persisted var previous: LinkValues?
  }
}
