import Foundation
import RealmSwift
import Testing

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

  @Test func managedObjectsAreNotEncoded() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: "codable-\(UUID().uuidString)", objectTypes: [CodedDog.self, CodedToy.self]))
    let toy = CodedToy(value: ["name": "ball"])
    try realm.write { realm.add(toy) }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(toy) }
  }
}
