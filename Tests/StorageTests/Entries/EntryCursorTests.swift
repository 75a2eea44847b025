import Foundation
import TestSupport
import Testing

@testable import Storage

/// The trees of a file of pages, which are parts of one map.
@Suite struct EntryCursorTests {
  private typealias Model = [EntryTree: [[UInt8]: [UInt8]]]

  private static let trees = [EntryTree.main, .columns, .values]

  private func key(_ number: Int) -> [UInt8] {
    // Of several lengths, the empty one left out.
    Array("\(number)".utf8) + [UInt8](repeating: 255, count: number % 3)
  }

  /// Random moves of a cursor, between which entries are added and deleted, against a dictionary.
  @Test(arguments: [41, 42, 43] as [UInt64]) func cursorsKeepTheirPlaces(seed: UInt64) throws {
    var random = SeededGenerator(printing: seed)
    let path = TemporaryFile.path()
    defer { TemporaryFile.delete(path) }
    let store = try EntryStore.open(path, mapSize: 1 << 30)
    defer { store.close() }
    var model = Model()
    for _ in 0..<40 {
      let transaction = try store.beginWriting()
      for tree in Self.trees { try walk(tree, transaction, &model, &random) }
      try transaction.commit(.relaxed)
      let reader = try store.beginReading()
      defer { reader.abort() }
      for tree in Self.trees { try check(tree, reader, model[tree] ?? [:]) }
    }
  }

  private func walk(
    _ tree: EntryTree, _ transaction: EntryTransaction, _ model: inout Model,
    _ random: inout SeededGenerator
  ) throws {
    let cursor = try transaction.openCursor(tree)
    defer { cursor.close() }
    var place: [UInt8]?
    for _ in 0..<60 {
      let keys = (model[tree] ?? [:]).keys.sorted { $0.lexicographicallyPrecedes($1) }
      var expected: [UInt8]?
      var (found, value) = (StoredBytes(), StoredBytes())
      let isFound: Bool
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        try change(tree, transaction, &model, &random)
        continue
      case 1:
        guard let place, model[tree]?[place] != nil else { continue }
        try cursor.delete()
        model[tree]![place] = nil
        continue
      case 2, 3:
        guard let place else { continue }
        expected = keys.first { place.lexicographicallyPrecedes($0) }
        isFound = try cursor.move(.next, &found, &value)
      case 4:
        guard let place else { continue }
        expected = keys.last { $0.lexicographicallyPrecedes(place) }
        isFound = try cursor.move(.previous, &found, &value)
      default:
        let sought = key(Int.random(in: 0..<300, using: &random))
        expected = keys.first { !$0.lexicographicallyPrecedes(sought) }
        isFound = try sought.withUnsafeBytes { bytes in
          found = StoredBytes(bytes)
          return try cursor.move(.toOrAfter, &found, &value)
        }
      }
      try #require(isFound == (expected != nil))
      if let expected {
        try #require(Array(found.bytes) == expected && Array(value.bytes) == model[tree]![expected]!)
      }
      place = expected
    }
  }

  private func change(
    _ tree: EntryTree, _ transaction: EntryTransaction, _ model: inout Model,
    _ random: inout SeededGenerator
  ) throws {
    let key = key(Int.random(in: 0..<300, using: &random))
    if Int.random(in: 0..<4, using: &random) == 0 {
      try transaction.delete(tree, key, key.count)
      model[tree]?[key] = nil
      return
    }
    let value = [UInt8](
      repeating: .random(in: 0...255, using: &random), count: .random(in: 1...900, using: &random))
    try transaction.reserve(tree, key, key.count, size: value.count).copyMemory(
      from: value, byteCount: value.count)
    model[tree, default: [:]][key] = value
  }

  private func check(_ tree: EntryTree, _ reader: EntryTransaction, _ model: [[UInt8]: [UInt8]]) throws {
    #expect(try reader.entryCount(tree) == model.count)
    for (key, value) in model { #expect(reader.get(tree, key, key.count).map(Array.init) == value) }
    let cursor = try reader.openCursor(tree)
    defer { cursor.close() }
    var (last, value) = (StoredBytes(), StoredBytes())
    let isThere = try cursor.move(.last, &last, &value)
    #expect((isThere ? Array(last.bytes) : nil) == model.keys.max { $0.lexicographicallyPrecedes($1) })
  }
}
