import Foundation
import RealmSwift

/// What importing JSON takes for objects that are more than single values, beside making them of what Foundation's parser
/// returns, and decoding them.
struct JSONMeasurements {
  static let works = ["json members", "json members, Codable"]

  let files: FileStore
  let options: Options

  /// At most that share of the time of the other ways.
  private static let createFactor = 0.8
  private static let decodingFactor = 0.7

  func run() throws -> [Measurement] {
    let lines = (0..<options.rows / 20).map(line)
    let imported = Samples.Pair()
    let decoded = Samples.Pair()
    for _ in 0..<(options.repetitions ?? 3) {
      let direct = try importLines(lines)
      imported.first.append(try createObjects(lines))
      imported.second.append(direct)
      if options.includes(Self.works[1]) {
        decoded.first.append(try decodeObjects(lines))
        decoded.second.append(direct)
      }
    }
    var measurements: [Measurement] = []
    if options.includes(Self.works[0]) {
      measurements.append(
        imported.measurement(Self.works[0], "import, ÷ create", factor: Self.createFactor))
    }
    if options.includes(Self.works[1]) {
      measurements.append(
        decoded.measurement(Self.works[1], "import, ÷ Codable", factor: Self.decodingFactor))
    }
    return measurements
  }

  /// Every third visitor has no telephone, as texts leave out what is not there.
  private func line(_ id: Int) -> String {
    """
    {"id":\(id),"name":"visitor \(id)",\(id % 3 == 0 ? "" : #""phone":"\#(id)","#)"weight":\(id % 900).5,\
    "address":{"street":"street \(id % 500)","zip":"\(id % 10_000)"},"tags":["a","b\(id % 7)"],\
    "scores":{"one":\(id % 10),"two":\(id % 20)},"home":{"name":"home \(id % 100)","rank":\(id % 5)}}
    """
  }

  private func withRealm(_ body: (Realm) throws -> Double) throws -> Double {
    let path = files.newPath(for: OpenRealmSubject.self, label: "json")
    defer { files.remove(path) }
    var configuration = OpenRealmSubject.configuration(path: path)
    configuration.objectTypes = [Visitor.self, Address.self, Home.self]
    let realm = try Realm(configuration: configuration)
    let seconds = try body(realm)
    let visitors = realm.objects(Visitor.self)
    guard visitors.count == options.rows / 20, visitors.last?.scores.count == 2,
      visitors.where({ $0.home.rank == 1 }).count == options.rows / 100
    else { throw BenchmarkError("Not all visitors are there.") }
    return seconds
  }

  private func importLines(_ lines: [String]) throws -> Double {
    let text = Data(lines.joined(separator: "\n").utf8)
    return try withRealm { realm in
      try Stopwatch.seconds {
        try realm.write { _ = try realm.importJSON(text, as: Visitor.self, update: .modified) }
      }
    }
  }

  private func createObjects(_ lines: [String]) throws -> Double {
    let texts = lines.map { Data($0.utf8) }
    return try withRealm { realm in
      try Stopwatch.seconds {
        try realm.write {
          for text in texts {
            realm.create(
              Visitor.self, value: try JSONSerialization.jsonObject(with: text), update: .modified)
          }
        }
      }
    }
  }

  private func decodeObjects(_ lines: [String]) throws -> Double {
    let texts = lines.map { Data($0.utf8) }
    let decoder = JSONDecoder()
    return try withRealm { realm in
      try Stopwatch.seconds {
        try realm.write {
          for text in texts {
            realm.add(try decoder.decode(Visitor.self, from: text), update: .modified)
          }
        }
      }
    }
  }
}

class Visitor: Object, Codable {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var phone: String?
  @Persisted var weight = 0.0
  @Persisted var address: Address?
  @Persisted var tags: List<String>
  @Persisted var scores: Map<String, Int>
  @Persisted var home: Home?

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class Address: EmbeddedObject, Codable {
  @Persisted var street = ""
  @Persisted var zip = ""

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class Home: Object, Codable {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var rank = 0

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
