import Foundation
import RealmSwift

/// A dog with indexes and a link, in files of its own.
class KennelDog: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name = ""
  @Persisted var age = 0
  @Persisted(indexed: true) var born = Date(timeIntervalSince1970: 0)
  @Persisted var owner: KennelOwner?

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class KennelOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var city = 0
  @Persisted var dogs: List<KennelDog>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Found through an index over city and age.
class KennelResident: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var city = ""
  @Persisted var age = 0

  override class func indexes() -> [Index] { [.index(\.city, \.age)] }

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// So many residents of a city within a range of ages are asked for, by age.
struct ResidentQuestion {
  static let limit = 20
  static let cityCount = 100

  var city: String
  var ages: ClosedRange<Int>

  static func city(_ dataset: Dataset, _ id: Int) -> String { "City \(dataset.born[id] % cityCount)" }
  static func age(_ dataset: Dataset, _ id: Int) -> Int { Int(dataset.weights[id]) }

  static let all = (0..<1000).map { number in
    let first = number * 7 % 70
    return ResidentQuestion(city: "City \(number * 13 % cityCount)", ages: first...first + 9)
  }

  /// The ids of those who are found and the lengths of their names, added.
  static func sum(_ dataset: Dataset) -> Int {
    var residents: [String: [Int]] = [:]
    for id in 0..<dataset.count { residents[city(dataset, id), default: []].append(id) }
    for city in residents.keys {
      residents[city]?.sort { (age(dataset, $0), $0) < (age(dataset, $1), $1) }
    }
    return all.reduce(0) { sum, question in
      let found = residents[question.city, default: []].lazy.filter {
        question.ages.contains(age(dataset, $0))
      }
      return sum + found.prefix(limit).reduce(0) { $0 + $1 + dataset.names[$1].utf8.count }
    }
  }
}

/// Nothing but numbers, for files of any size.
class KennelNumber: Object {
  @Persisted var value = 0

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

extension Realm {
  static func openKennel(at path: String) throws -> Realm {
    var configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: path))
    configuration.objectTypes = [
      KennelDog.self, KennelOwner.self, KennelNumber.self, KennelResident.self,
    ]
    return try Realm(configuration: configuration)
  }
}
