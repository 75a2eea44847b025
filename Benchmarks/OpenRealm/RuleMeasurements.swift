import Foundation
import RealmSwift

/// What the rules that a file keeps cost: numbers that it gives, beside keys that the program sets, and deleting by rule,
/// beside deleting the same objects by queries.
struct RuleMeasurements {
  static let works = ["numbered", "cascade", "cascade chain"]

  let files: FileStore
  let options: Options

  /// More than W1 takes.
  private static let numberedFactor = 1.03
  private static let cascadeFactor = 1.25
  /// For each object of a chain, each of which is found through the one before.
  private static let secondsPerLink = 3e-6
  private static let partsPerWhole = 4

  func run() throws -> [Measurement] {
    var measurements: [Measurement] = []
    if options.includes("numbered") {
      let explicit = Samples.Pair()
      for _ in 0..<(options.repetitions ?? 7) {
        explicit.first.append(try insert { Dog($0) })
        explicit.second.append(try insert { NumberedDog($0) })
      }
      measurements.append(
        explicit.measurement("numbered", "insert, keys from the file", factor: Self.numberedFactor))
    }
    if options.includes("cascade") {
      let deletions = Samples.Pair()
      for _ in 0..<(options.repetitions ?? 3) {
        deletions.first.append(try deleteByQueries())
        deletions.second.append(try deleteByRule())
      }
      measurements.append(
        deletions.measurement("cascade", "delete by rule", factor: Self.cascadeFactor))
    }
    if options.includes("cascade chain") {
      var samples = Samples()
      for _ in 0..<(options.repetitions ?? 3) { samples.append(try deleteChain()) }
      var measurement = Measurement(
        work: "cascade chain", title: "delete a chain",
        target: .atMost(Self.secondsPerLink * Double(options.rows)))
      measurement.figures[.openRealm] = samples.median
      measurements.append(measurement)
    }
    return measurements
  }

  private func withRealm(_ types: [ObjectBase.Type], _ body: (Realm) throws -> Double) throws -> Double {
    let path = files.newPath(for: OpenRealmSubject.self, label: "rules")
    defer { files.remove(path) }
    var configuration = OpenRealmSubject.configuration(path: path)
    configuration.objectTypes = types
    return try body(Realm(configuration: configuration))
  }

  /// As W1 does it.
  private func insert<Element: Object>(_ make: (DogGenerator.Record) -> Element) throws -> Double {
    try withRealm([Element.self]) { realm in
      var generator = DogGenerator(count: options.rows)
      let dogs = (0..<options.rows).map { _ in make(generator.next()) }
      return try Stopwatch.seconds {
        try realm.write {
          for dog in dogs { realm.add(dog) }
        }
      }
    }
  }

  // MARK: Deleting

  private func deleteByRule() throws -> Double {
    try withRealm([OwningWhole.self, Part.self]) { realm in
      try realm.write {
        forEachWhole { id, parts in
          realm.create(OwningWhole.self, value: ["id": id, "parts": parts.map { Part($0) }] as [String: Any])
        }
      }
      let seconds = try Stopwatch.seconds {
        try realm.write { realm.delete(realm.objects(OwningWhole.self).where { $0.id < deletedCount }) }
      }
      return try checked(seconds, realm.objects(Part.self).count)
    }
  }

  private func deleteByQueries() throws -> Double {
    try withRealm([PlainWhole.self, Part.self]) { realm in
      try realm.write {
        forEachWhole { id, parts in
          realm.create(PlainWhole.self, value: ["id": id, "parts": parts.map { Part($0) }] as [String: Any])
        }
      }
      let seconds = try Stopwatch.seconds {
        try realm.write {
          let parts = realm.objects(Part.self).where { $0.whole < deletedCount }
          realm.delete(realm.objects(PlainWhole.self).where { $0.id < deletedCount })
          realm.delete(parts)
        }
      }
      return try checked(seconds, realm.objects(Part.self).count)
    }
  }

  private var deletedCount: Int { options.rows / Self.partsPerWhole / 2 }

  private func forEachWhole(_ body: (_ id: Int, _ parts: [Int]) -> Void) {
    for id in 0..<options.rows / Self.partsPerWhole {
      body(id, Array(repeating: id, count: Self.partsPerWhole))
    }
  }

  private func checked(_ seconds: Double, _ remaining: Int) throws -> Double {
    let expected = (options.rows / Self.partsPerWhole - deletedCount) * Self.partsPerWhole
    if remaining != expected {
      throw BenchmarkError("\(remaining) parts are left, not \(expected).")
    }
    return seconds
  }

  private func deleteChain() throws -> Double {
    try withRealm([ChainLink.self]) { realm in
      try realm.write {
        var last = realm.create(ChainLink.self)
        for _ in 1..<options.rows {
          let next = realm.create(ChainLink.self)
          last.next = next
          last = next
        }
      }
      let seconds = try Stopwatch.seconds {
        try realm.write { realm.delete(realm.objects(ChainLink.self)[0]) }
      }
      guard realm.isEmpty else { throw BenchmarkError("Some of the chain is left.") }
      return seconds
    }
  }
}

extension Samples {
  /// Those of two ways, taken in turn.
  final class Pair {
    var first = Samples()
    var second = Samples()

    /// The second way, which may take so many times as long as the first. Least times, because the ratio is to be kept
    /// more exactly than medians of a few are on a busy machine.
    func measurement(_ work: String, _ title: String, factor: Double) -> Measurement {
      var measurement = Measurement(
        work: work, title: title, target: .atMost(factor * (first.minimum ?? 0)))
      measurement.figures[.openRealm] = second.minimum
      return measurement
    }
  }
}

// MARK: Models

class HiddenFromOthers: Object {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A dog with a number from the file.
private class NumberedDog: HiddenFromOthers {
  @Persisted(primaryKey: true, autoIncrement: true) var id = 0
  @Persisted var name = ""
  @Persisted var age = 0
  @Persisted var color = ""
  @Persisted var weight = 0.0
  @Persisted var born = Date(timeIntervalSince1970: 0)
  @Persisted var vaccinated = false

  convenience init(_ record: DogGenerator.Record) {
    self.init()
    name = record.name
    age = record.age
    color = DogGenerator.colors[record.color]
    weight = record.weight
    born = Date(timeIntervalSince1970: Double(record.born))
    vaccinated = record.vaccinated
  }
}

private class OwningWhole: HiddenFromOthers {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(onDelete: .cascade) var parts: List<Part>
}

private class PlainWhole: HiddenFromOthers {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var parts: List<Part>
}

private class Part: HiddenFromOthers {
  @Persisted var whole: Int

  convenience init(_ whole: Int) {
    self.init()
    self.whole = whole
  }
}

private class ChainLink: HiddenFromOthers {
  @Persisted(onDelete: .cascade) var next: ChainLink?
}
