import Foundation
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// Of a damaged file, everything is read but what the damaged node or value itself held.
@Suite struct NodeSearchTests {
  private typealias Contents = [[UInt8]: [UInt8]]

  private let folder = ScratchFolder()

  /// What a place of the file is.
  private struct Extent {
    enum Kind { case branch, leaf, value }
    let kind: Kind
    let units: Range<Int>
    let keys: Set<[UInt8]>
  }

  // MARK: Files

  /// A file that many transactions have changed, with old nodes in it.
  private func make(_ path: String, transactions: Int, _ random: inout SeededGenerator) throws {
    let store = try PageStore(
      path: path, options: PageStore.Options(mapLimit: 1 << 28, key: encryptionKey(path)))
    for transactionNumber in 0..<transactions {
      let transaction = try PageTransaction(store)
      for _ in 0..<(transactionNumber == 0 ? 3_000 : 20) {
        let number = Int.random(in: 0..<4_000, using: &random)
        try key(number).withUnsafeBytes { key in
          if Int.random(in: 0..<4, using: &random) == 0 {
            _ = try transaction.remove(key)
            return
          }
          let isLong = Int.random(in: 0..<20, using: &random) == 0
          let value = TestValue(
            stamp: random.next(), size: Int.random(in: 8..<(isLong ? 4_000 : 120), using: &random))
          value.write(try transaction.reserve(key, value.size))
        }
      }
      try transaction.commit(.relaxed)
    }
    try store.close()
  }

  private func extents(_ path: String) throws -> [Extent] {
    let version = try PageVersion.newest(ofDamagedFile: path, key: encryptionKey(path)).version
    defer { version.release() }
    var extents: [Extent] = []
    func add(_ reference: Reference) throws {
      let node = try version.node(reference)
      let units = Int(reference.unit)..<Int(reference.unit) + reference.unitCount
      let keys = node.level > 0 ? [] : Set((0..<node.count).map(node.key))
      extents.append(Extent(kind: node.level > 0 ? .branch : .leaf, units: units, keys: keys))
      for index in 0..<node.count where node.hasReference(index) {
        let child = node.reference(index)
        if !child.isValue {
          try add(child)
          continue
        }
        let units = Int(child.unit)..<Int(child.unit) + child.unitCount
        extents.append(Extent(kind: .value, units: units, keys: [node.key(index)]))
      }
    }
    try add(version.root)
    return extents
  }

  private func contents(_ path: String) throws -> (Contents, faults: [String]) {
    let version = try PageVersion.newest(ofDamagedFile: path, key: encryptionKey(path)).version
    defer { version.release() }
    var walk = EntryWalk(version, search: NodeSearch(version))
    var contents: Contents = [:]
    var last: [UInt8]?
    while let entry = walk.next() {
      if let last { #expect(last.lexicographicallyPrecedes(entry.key)) }
      last = entry.key
      contents[entry.key] = Array(entry.value)
    }
    return (contents, walk.faults)
  }

  // MARK: Damage

  private func damage(
    _ bytes: inout [UInt8], _ units: Range<Int>, _ random: inout SeededGenerator
  ) -> (
    unit: Int, isBlock: Bool
  ) {
    let unit = Int.random(in: units, using: &random)
    let start = unit * FileLayout.unit
    let choice = Int.random(in: 0..<4, using: &random)
    switch choice {
    case 0: for place in start..<start + FileLayout.unit { bytes[place] = 0 }
    case 1: for place in start..<start + FileLayout.unit { bytes[place] = random.next() }
    default:
      bytes[start + Int.random(in: 0..<FileLayout.unit, using: &random)] ^=
        1 << UInt8.random(in: 0..<8, using: &random)
    }
    return (unit, choice < 2)
  }

  @Test(arguments: ["plain", "sealed"])
  func onlyWhatWasDamagedIsLost(kind: String) throws {
    var random = SeededGenerator(printing: .random(in: 0..<1 << 32))
    var rounds = (branches: 0, whole: 0, lost: 0, wrong: 0)
    for file in 0..<TestLength.count(2, long: 20) {
      let path = folder.path("\(file)-\(kind).pages")
      try make(path, transactions: file % 2 == 0 ? 60 : 1, &random)
      let sound = Array(try Data(contentsOf: URL(filePath: path)))
      let extents = try extents(path)
      let (whole, faults) = try contents(path)
      #expect(faults == [] && whole.count > 1_000)
      let branches = extents.filter { $0.kind == .branch }
      #expect(branches.count > 1)
      for round in 0..<200 {
        var bytes = sound
        let all = 0..<bytes.count / FileLayout.unit
        let target = round % 2 == 0 ? branches.randomElement(using: &random)!.units : all
        let (unit, isBlock) = damage(&bytes, target, &random)
        try Data(bytes).write(to: URL(filePath: path))
        let hit = extents.first { $0.units.contains(unit) }
        let (found, faults) = try contents(path)
        let isBranch = hit?.kind == .branch
        let missing = Set(whole.keys).subtracting(found.keys)
        if isBranch { rounds.branches += 1 }
        if isBranch { rounds.lost += missing.count }
        let wrong = found.filter { whole[$0.key] != $0.value }
        if isBranch { rounds.wrong += wrong.count }
        if isBranch, missing.isEmpty, wrong.isEmpty { rounds.whole += 1 }
        if !isBranch || kind == "plain" && !isBlock {
          #expect(missing.isSubset(of: hit?.keys ?? []), "\(file), \(round), unit \(unit): \(faults)")
          #expect(wrong.isEmpty, "\(file), \(round), unit \(unit): \(faults)")
        }
      }
    }
    print("\(kind): \(rounds)")
    // Of an encrypted file, what the references led to is lost with them. Of a plain one, what is found without them may be older.
    if kind == "plain" {
      #expect(rounds.whole > rounds.branches / 2)
      #expect(rounds.lost + rounds.wrong < rounds.branches * 10)
    }
  }
}
