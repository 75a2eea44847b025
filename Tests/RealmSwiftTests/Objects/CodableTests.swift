import Foundation
import Testing

@testable import RealmSwift

/// Classes whose conformance to `Codable` the compiler makes.
@Suite struct CodableTests {
  final class CodedToy: Object, Codable {
    @Persisted var name = ""
    @Persisted var price: Double?
  }

  final class CodedDog: Object, Codable {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = "Rex"
    @Persisted var nickname: String?
    @Persisted var born: Date
    @Persisted var toy: CodedToy?
    @Persisted var tags: List<String>
    @Persisted var scores: Map<String, Int>
  }

  private let json = """
    {"id": 7, "name": "Wolfie", "born": "2020-05-01T00:00:00Z", "toy": {"name": "ball"}, "tags": ["a", "b"],
     "scores": {"x": 1}}
    """

  private var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }

  @Test func decodesWithTheStrategiesOfTheDecoder() throws {
    let dog = try decoder.decode(CodedDog.self, from: Data(json.utf8))
    #expect(dog.id == 7 && dog.name == "Wolfie" && dog.nickname == nil)
    #expect(dog.born == Date(timeIntervalSince1970: 1_588_291_200))
    #expect(dog.toy?.name == "ball" && dog.toy?.price == nil)
    #expect(Array(dog.tags) == ["a", "b"] && dog.scores["x"] == 1)
  }

  @Test func aRequiredPropertyMustBeThere() {
    #expect(throws: DecodingError.self) {
      try decoder.decode(CodedDog.self, from: Data(#"{"id": 7}"#.utf8))
    }
    #expect(throws: DecodingError.self) {
      try decoder.decode(CodedToy.self, from: Data(#"{"name": null}"#.utf8))
    }
  }

  @Test func roundTrip() throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    let dog = try decoder.decode(CodedDog.self, from: Data(json.utf8))
    let again = try decoder.decode(CodedDog.self, from: encoder.encode(dog))
    #expect(again.name == "Wolfie" && again.toy?.name == "ball" && again.born == dog.born)
    #expect(Array(again.tags) == ["a", "b"] && again.scores["x"] == 1)
  }

  enum CodedKind: Int, PersistableEnum, Codable { case small, large }

  final class CodedValues: Object, Codable {
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var text = ""
    @Persisted var whole = 0
    @Persisted var tiny: Int8 = 0
    @Persisted var short: Int16 = 0
    @Persisted var medium: Int32 = 0
    @Persisted var long: Int64 = 0
    @Persisted var flag = false
    @Persisted var single: Float = 0
    @Persisted var double = 0.0
    @Persisted var data = Data()
    @Persisted var kind = CodedKind.small
    @Persisted var key: ObjectId
    @Persisted var price: Decimal128
    @Persisted var optionalWhole: Int?
    @Persisted var optionalFlag: Bool?
    @Persisted var optionalDate: Date?
    @Persisted var optionalData: Data?
    @Persisted var optionalKind: CodedKind?

    enum CodingKeys: String, CodingKey {
      case id = "ID"
      case text, whole, tiny, short, medium, long, flag, single, double, data, kind, key, price
      case optionalWhole, optionalFlag, optionalDate, optionalData, optionalKind
    }
  }

  private func values(_ others: String) -> Data {
    Data(
      """
      {"ID": "4E1C2B0A-77F3-4D0B-9A55-0C2D6A0F1E3B", "text": "t", "whole": -1, "tiny": -128, "short": 32767,
       "medium": -2147483648, "long": 9223372036854775807, "flag": true, "single": 0.25, "double": 0.1,
       "data": "AQI=", "kind": 1, "key": "6058f12682b2fbb1f334ef1d", "price": "1.5" \(others)}
      """.utf8)
  }

  @Test func valuesOfAllTypes() throws {
    let present = values(
      #", "optionalWhole": 3, "optionalFlag": false, "optionalDate": "2020-05-01T00:00:00Z", "optionalData": "AQ==", "optionalKind": 0"#
    )
    let found = try decoder.decode(CodedValues.self, from: present)
    #expect(found.id.uuidString.hasPrefix("4E1C2B0A") && found.text == "t" && found.whole == -1)
    #expect(found.tiny == -128 && found.short == 32767 && found.medium == .min && found.long == .max)
    #expect(found.flag && found.single == 0.25 && found.double == 0.1 && found.data == Data([1, 2]))
    #expect(found.kind == .large && found.key.stringValue.hasPrefix("6058") && found.price == 1.5)
    #expect(found.optionalWhole == 3 && found.optionalFlag == false && found.optionalData == Data([1]))
    #expect(found.optionalDate == Date(timeIntervalSince1970: 1_588_291_200) && found.optionalKind == .small)
    for nothing in [
      "", #", "optionalWhole": null, "optionalFlag": null, "optionalDate": null, "optionalKind": null"#,
    ] {
      let found = try decoder.decode(CodedValues.self, from: values(nothing))
      #expect(found.optionalWhole == nil && found.optionalFlag == nil && found.optionalDate == nil)
      #expect(found.optionalData == nil && found.optionalKind == nil)
    }
    let list = try PropertyListEncoder().encode(found)
    #expect(try PropertyListDecoder().decode(CodedValues.self, from: list).long == .max)
  }

  @Test(arguments: [
    (#", "tiny": "x""#, "tiny"), (#", "whole": "x""#, "whole"), (#", "text": null"#, "text"),
    (#", "optionalWhole": "x""#, "optionalWhole"), (#", "optionalDate": 5"#, "optionalDate"),
    (#", "kind": 7"#, "kind"), (#", "data": "?""#, "data"),
  ]) func errorsNameTheProperty(others: String, name: String) throws {
    do {
      // Of two members with a name Foundation takes the first.
      let text = String(decoding: values(""), as: UTF8.self)
      let json = text.replacing(try Regex(#""\#(name)": [^,]*,"#), with: "").dropLast() + others + "}"
      _ = try decoder.decode(CodedValues.self, from: Data(json.utf8))
      Issue.record("It was decoded.")
    } catch let error as DecodingError {
      let path: [any CodingKey] =
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
          context.codingPath
        case .keyNotFound(_, let context): context.codingPath
        @unknown default: []
        }
      #expect(path.map(\.stringValue) == [name])
    }
  }

  /// What a program's own container makes of values that are not there, or are something else.
  @Test func containersAreAskedForOptionals() throws {
    struct Lenient<Key: CodingKey>: KeyedDecodingContainerProtocol {
      var codingPath: [any CodingKey] = []
      var allKeys: [Key] = []
      func contains(_ key: Key) -> Bool { true }
      func decodeNil(forKey key: Key) throws -> Bool { false }
      func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        throw DecodingError.typeMismatch(type, .init(codingPath: [key], debugDescription: ""))
      }
      func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? { nil }
      func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { 5 }
      func nestedContainer<K>(keyedBy type: K.Type, forKey key: Key) throws -> KeyedDecodingContainer<K> {
        throw CancellationError()
      }
      func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw CancellationError()
      }
      func superDecoder() throws -> any Decoder { throw CancellationError() }
      func superDecoder(forKey key: Key) throws -> any Decoder { throw CancellationError() }
    }
    let container = KeyedDecodingContainer(Lenient<CodedValues.CodingKeys>())
    #expect(try container.decode(Persisted<Int?>.self, forKey: .optionalWhole).value == 5)
    #expect(throws: DecodingError.self) { try container.decode(Persisted<Int>.self, forKey: .whole) }
    #expect(try container.decode(Persisted<Date?>.self, forKey: .optionalDate).value == .some(nil))
  }

  @Test func managedObjectsAreNotEncoded() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: "codable-\(UUID().uuidString)", objectTypes: [CodedDog.self, CodedToy.self]))
    let toy = CodedToy(value: ["name": "ball"])
    try realm.write { realm.add(toy) }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(toy) }
  }
}
