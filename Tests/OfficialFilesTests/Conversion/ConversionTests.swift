import Foundation
import OfficialConversion
import TestSupport
import Testing

@testable import OfficialFiles
@testable import Storage

/// A converted file has what the official one has.
struct ConversionTests {
  private let folder = ScratchFolder()
  private var target: String { folder.path("new.realm") }
  private static let newKey = (0..<64).map { UInt8($0) }

  @Test(arguments: Sample.all) func samplesAreConverted(sample: Sample) throws {
    let key = sample.key == nil ? nil : Self.newKey
    var calls: [Int] = []
    let report = try OfficialConversion.run(
      from: sample.path, key: sample.key, to: target, encryptionKey: key,
      progress: { done, total in
        calls.append(done)
        #expect(done <= total)
      })
    let description = try sample.description()
    let classes = description.classes.filter { $0.kind != "asymmetric" }
    #expect(report.objectCount == classes.reduce(0) { $0 + $1.objects.count })
    #expect(calls == calls.sorted() && calls.last == report.objectCount)
    #expect(try FileVerification(path: target, encryptionKey: key).faults == [])
    let snapshot = try Snapshot(file: DatabaseFile.open(path: target, encryptionKey: key))
    #expect(snapshot.catalogue.schemaVersion == description.schemaVersion)
    #expect(snapshot.catalogue.tables.count == classes.count)
    for expected in classes { try check(expected, snapshot, description) }
  }

  private func check(
    _ expected: SampleDescription.Class, _ snapshot: Snapshot, _ description: SampleDescription
  ) throws {
    let number = try #require(snapshot.catalogue.table(named: expected.name))
    let table = snapshot.table(number)
    let stored = snapshot.catalogue.tables[number]
    let contents = StoredContent(snapshot, description)
    #expect(stored.isEmbedded == (expected.kind == "embedded"))
    #expect(stored.columns.count == expected.properties.count)
    // Objects are in the order of their keys.
    let keys = expected.objects.keys.sorted()
    #expect(snapshot.liveCount(table: number) == keys.count)
    for property in expected.properties {
      let place = try #require(stored.column(named: property.name))
      let column = stored.columns[place]
      #expect(column.isPrimaryKey == property.isPrimaryKey && column.isFullText == property.isFullText)
      #expect(column.isIndexed == property.isIndexed, "\(expected.name).\(property.name)")
      let isAlwaysNullable = ["object", "mixed"].contains(property.type)
      #expect(
        column.isNullable == (property.isNullable || isAlwaysNullable), "\(expected.name).\(property.name)")
      for (row, key) in keys.enumerated() {
        let content = contents.content(table, place, row)
        let wanted = expected.objects[key]![property.name]!.withDatesOfDoubles
        #expect(content == wanted, "\(expected.name).\(property.name) of object \(key)")
      }
    }
  }

  @Test func whatIsLeftOutIsCounted() throws {
    let report = try OfficialConversion.run(from: Sample.schema.path, to: target)
    #expect(report.asymmetricClasses == ["Event": 3])
    #expect(Set(report.otherTables).isSuperset(of: ["metadata", "private_table"]))
    #expect(!report.isComplete)
    #expect(try OfficialConversion.run(from: Sample.types.path, to: folder.path("other.realm")).isComplete)
  }

  @Test func nothingIsLeftOfAConversionThatFailed() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try OfficialConversion.run(from: Sample.types.path, to: target) { _, _ in throw Stop() }
    }
    #expect(throws: OfficialFileError.self) { try OfficialConversion.run(from: #filePath, to: target) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    // Nothing that is there is written over.
    try Data("mine".utf8).write(to: URL(fileURLWithPath: target))
    #expect(throws: StorageError.self) { try OfficialConversion.run(from: Sample.types.path, to: target) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data("mine".utf8))
  }

  /// Of those who convert to the same place at once, one does.
  @Test func severalAtOnce() async throws {
    let target = target
    let outcomes = await withTaskGroup(of: StorageError.Kind?.self) { group in
      for _ in 0..<4 {
        group.addTask {
          do {
            _ = try OfficialConversion.run(from: Sample.collections.path, to: target)
            return nil
          } catch { return (error as? StorageError)?.kind ?? .other }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count { $0 == nil } == 1)
    #expect(outcomes.count { $0 == .alreadyExists } == 3)
    #expect(try FileVerification(path: target).faults == [])
    #expect(!FileManager.default.fileExists(atPath: target + ".new"))
  }

  // MARK: Files made by hand

  /// What the engine itself stores in pieces, and reads as null.
  @Test func valuesLargerThanTheEngineReads() throws {
    let size = 9_000_000
    var builder = FileBuilder()
    let pieces = (1...2).map { builder.blob(Array(repeating: UInt8($0), count: size)) }
    let value = builder.references(pieces, .context)
    let leaf = builder.references([value], .context)
    let table = builder.table([.init(type: 4)], clusters: builder.cluster(count: 1, [leaf]))
    #expect(try convert(builder.file([("class_A", table)])).isComplete)
    let snapshot = try Snapshot(file: DatabaseFile.open(path: target))
    let bytes = snapshot.bytes(table: 0, column: 0, row: 0)
    #expect(bytes.count == 2 * size && bytes[size - 1] == 1 && bytes[size] == 2)
  }

  private func convert(_ bytes: [UInt8]) throws -> ConversionReport {
    let path = folder.path("old.realm")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let report = try OfficialConversion.run(from: path, to: target)
    #expect(try FileVerification(path: target).faults == [])
    return report
  }

  @Test func linksThatLeadNowhere() throws {
    var builder = FileBuilder()
    let list = builder.integers([0, -2, 7, 1])
    let column = builder.references([list, 0])
    let table = builder.table(
      [.init(type: 12, attributes: 32)], clusters: builder.cluster(count: 2, [column]), targets: [0])
    let report = try convert(builder.file([("class_A", table)]))
    #expect(report.unresolvedLinks == 1 && report.brokenLinks == 1)
    let snapshot = try Snapshot(file: DatabaseFile.open(path: target))
    #expect(snapshot.table(0).elements(0, 0) == [.link(table: 0, row: 0), .link(table: 0, row: 1)])
  }

  @Test func embeddedObjectsHaveOneParent() throws {
    var builder = FileBuilder()
    let links = builder.integers([1, 1, 2])
    let parents = builder.table(
      [.init(type: 12, attributes: 16)], clusters: builder.cluster(count: 3, [links]), key: 0, targets: [1])
    let values = builder.integers([5, 6, 7])
    let children = builder.table(
      [.init(type: 0)], clusters: builder.cluster(count: 3, [values]), key: 1, kind: 1)
    let report = try convert(builder.file([("class_A", parents), ("class_B", children)]))
    #expect(report.brokenLinks == 1 && report.orphans == 1 && report.objectCount == 5)
    let snapshot = try Snapshot(file: DatabaseFile.open(path: target))
    #expect((0..<3).map { snapshot.table(0).link(0, $0) } == [0, nil, 1])
    #expect((0..<3).map { snapshot.isAlive(table: 1, row: $0) } == [true, true, false])
  }

  @Test func primaryKeysThatComeTwice() {
    expectDamage("the same primary key") {
      var builder = FileBuilder()
      let column = FileBuilder.Column(type: 0)
      let table = builder.table(
        [column], clusters: builder.cluster(count: 2, [builder.integers([4, 4])]), primaryKey: column.key)
      _ = try convert(builder.file([("class_A", table)]))
    }
  }

  @Test func valuesOfAnotherTypeInADictionary() {
    expectDamage("of another type") {
      var builder = FileBuilder()
      let words = builder.integers([0x201])
      let values = builder.references([words, 0, 0, 0])
      let keys = builder.strings(["a"])
      let cells = builder.references([builder.references([keys, values])])
      let table = builder.table(
        [.init(type: 2, attributes: 64)], clusters: builder.cluster(count: 1, [cells]))
      _ = try convert(builder.file([("class_A", table)]))
    }
  }

  /// What is larger than a part is committed in several.
  @Test func listsLargerThanAPart() throws {
    var builder = FileBuilder()
    let leaves = (0..<250).map { _ in builder.node([], count: 1_000) }
    let tree = builder.references(
      [FileBuilder.number(1_000)] + leaves + [FileBuilder.number(250_000)], .inner)
    let cells = builder.references([tree])
    let table = builder.table([.init(type: 0, attributes: 32)], clusters: builder.cluster(count: 1, [cells]))
    let report = try convert(builder.file([("class_A", table)]))
    #expect(report.objectCount == 1)
    let snapshot = try Snapshot(file: DatabaseFile.open(path: target))
    #expect(snapshot.table(0).count(0, 0) == 250_000)
  }

  /// Damaged files are refused, or what is in them makes a sound file.
  @Test func mutants() throws {
    var random = SeededGenerator(printing: 15)
    for sample in [Sample.schema, .collections] {
      let original = try Mutant.Original(sample.bytes())
      var converted = 0
      for _ in 0..<TestLength.count(sample.name == "schema" ? 60 : 15, long: 3_000) {
        let path = folder.path("mutant.realm")
        try Data(Mutant(original, using: &random).bytes).write(to: URL(fileURLWithPath: path))
        do {
          _ = try OfficialConversion.run(from: path, to: target)
        } catch is OfficialFileError { continue }
        converted += 1
        #expect(try FileVerification(path: target).faults == [])
        try FileManager.default.removeItem(atPath: target)
        try? FileManager.default.removeItem(atPath: target + "-lock")
      }
      #expect(converted > 0)
    }
  }
}
