import Foundation
import TestSupport
import Testing

@testable import Storage

/// What only some columns have.
@Suite struct ColumnAttributeTests {
  private let path = TemporaryFile.path()

  private func catalogue(_ change: (inout Column) -> Void = { _ in }) -> Catalogue {
    var column = Column(name: "dog", type: .link, isNullable: true, target: 0)
    change(&column)
    return Catalogue(tables: [
      TableDescription(
        name: "Dog", columns: [column, Column(name: "id", type: .int, isPrimaryKey: true)])
    ])
  }

  private func open(_ key: [UInt8]? = nil) throws -> Snapshot {
    try Snapshot(file: DatabaseFile.open(path: path, encryptionKey: key))
  }

  private func set(_ catalogue: Catalogue, _ key: [UInt8]? = nil) throws {
    let snapshot = try open(key)
    try Writer(snapshot).begin()
    Writer(snapshot).setCatalogue(catalogue)
    try Writer(snapshot).commit(durability: .relaxed)
  }

  @Test(arguments: [nil, Array(repeating: 9, count: 64)] as [[UInt8]?])
  func attributesAreKept(key: [UInt8]?) throws {
    defer { TemporaryFile.delete(path) }
    try set(catalogue(), key)
    for rule in [LinkRule.cascade, .cascadeUnlessShared, .deny, .nullify] {
      try set(catalogue { $0.linkRule = rule }, key)
      #expect(try open(key).catalogue.tables[0].columns[0].linkRule == rule)
      #expect(try FileVerification(path: path, encryptionKey: key).faults == [])
      let copy = TemporaryFile.path()
      defer { TemporaryFile.delete(copy) }
      try open(key).writeCopy(to: copy)
      #expect(
        try Snapshot(file: DatabaseFile.open(path: copy)).catalogue.tables[0].columns[0].linkRule == rule)
    }
  }

  @Test func whatUsesNoneLooksAsBefore() {
    let bytes = catalogue().encoded(stamp: 5)
    var expected = ByteWriter()
    for number in [5, 0] as [UInt64] { expected.append(number) }
    expected.append(UInt32(1))
    expected.append("Dog")
    expected.append(UInt8(0))
    expected.append(UInt32(2))
    expected.append("dog")
    for byte in [7, 0, 1] as [UInt8] { expected.append(byte) }
    expected.append(Int32(0))
    expected.append(UInt64(0))
    expected.append("id")
    for byte in [0, 0, 4] as [UInt8] { expected.append(byte) }
    expected.append(Int32(-1))
    expected.append(UInt64(0))
    #expect(bytes == expected.bytes)
  }

  /// Attributes of later versions are not passed over.
  @Test func unknownAttributes() {
    var known = catalogue { $0.linkRule = .deny }
    known.tables[0].columns[1].isSequence = true
    let bytes = known.encoded(stamp: 1)
    bytes.withUnsafeBytes { #expect(Catalogue($0) == known) }
    // The attribute of the last column: one of them, a sequence without bytes.
    #expect(bytes.suffix(3) == [1, 2, 0])
    for (change, place) in [(4, 2), (9, 2), (1, 2), (1, 1)] as [(UInt8, Int)] {
      var other = bytes
      other[other.count - place] = change
      other.withUnsafeBytes { #expect(Catalogue($0) == nil) }
    }
    // Rules where there can be none.
    for column in [Column(name: "a", type: .string), Column(name: "a", type: .int)] {
      var wrong = Catalogue(tables: [TableDescription(name: "Dog", columns: [column])])
      wrong.tables[0].columns[0].linkRule = .cascade
      wrong.encoded(stamp: 1).withUnsafeBytes { #expect(Catalogue($0) == nil) }
    }
  }
}
