import Foundation
import TestSupport
import Testing

@testable import OfficialFiles

/// One damage in a file loses what it touches, says so, and nothing else.
struct FileSalvageTests {
  private enum Damaging: CaseIterable {
    case byte, node, page, tail
  }

  private let folder = ScratchFolder()

  private func salvage(_ bytes: [UInt8], key: [UInt8]? = nil) throws -> OfficialFile {
    let path = folder.path("damaged.realm")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return try OfficialFile(salvaging: path, key: key)
  }

  @Test(arguments: Sample.all) func aSoundFileIsReadAsAWhole(sample: Sample) throws {
    let file = try OfficialFile(salvaging: sample.path, key: sample.key)
    let strict = try sample.open()
    #expect(try contents(file) == contents(strict))
    #expect(file.schemaVersion == strict.schemaVersion)
    #expect(try #require(file.losses).isEmpty)
  }

  @Test(arguments: [Sample.types, .collections, .schema, .streamed])
  func oneDamageLosesWhatItTouches(sample: Sample) throws {
    let bytes = try sample.bytes()
    let original = try Mutant.Original(bytes)
    let sound = try sample.open()
    let expected = try contents(sound)
    var random = SeededGenerator(printing: 46)
    var outcomes: [String: Int] = [:]
    for number in 0..<TestLength.count(120, long: 4_000) {
      let damaging = Damaging.allCases[number % 4]
      let (damaged, place) = damage(damaging, original, using: &random)
      do {
        let file = try salvage(damaged)
        let found = try contents(file, names: names(sound))
        let losses = try #require(file.losses)
        let changed = original.nodes.count { ($0.reference..<$0.reference + $0.size).overlaps(place) }
        let unnoticed = unnoticedDifferences(found, expected, losses)
        if !touchesNames(place, bytes) && !isAtTop(place, bytes) {
          #expect(
            unnoticed.count <= changed,
            "\(sample.name) \(number): \(damaging) at \(place): \(unnoticed.sorted())")
        }
        outcomes[losses.isEmpty ? "nothing lost" : "some lost", default: 0] += 1
      } catch let error as OfficialFileError {
        // Nothing leads anywhere without the header, or with neither top array.
        #expect(isAtTop(place, bytes), "\(sample.name) \(number): \(damaging) at \(place): \(error)")
        outcomes["refused", default: 0] += 1
      }
    }
    print("\(sample.name): \(outcomes)")
    #expect(outcomes["some lost", default: 0] > 20)
  }

  private func damage(
    _ damaging: Damaging, _ original: Mutant.Original, using random: inout SeededGenerator
  ) -> ([UInt8], Range<Int>) {
    var bytes = original.bytes
    let node = original.nodes.randomElement(using: &random)!
    switch damaging {
    case .byte:
      let place = Int.random(in: node.reference..<node.reference + node.size, using: &random)
      bytes[place] ^= UInt8.random(in: 1...255, using: &random)
      return (bytes, place..<place + 1)
    case .node:
      let range = node.reference..<node.reference + node.size
      for place in range { bytes[place] = 0 }
      return (bytes, range)
    case .page:
      let begin = node.reference & ~511
      let range = begin..<min(begin + 512, bytes.count)
      for place in range { bytes[place] = .random(in: 0...255, using: &random) }
      return (bytes, range)
    case .tail:
      let end = (bytes.count - Int.random(in: 1...2_000, using: &random)) & ~7
      return (Array(bytes[..<end]), end..<bytes.count)
    }
  }

  /// Whether a damage touches the header, the top array that counts, or the array of the tables.
  private func isAtTop(_ place: Range<Int>, _ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      guard let header = try? FileHeader(buffer), let top = header.top else { return true }
      let space = NodeSpace(base: buffer.baseAddress!, end: header.end)
      guard let node = try? space.node(at: top), let slots = try? References(node),
        let tables = try? space.node(at: slots.reference(1))
      else { return true }
      var ranges = [
        0..<FileHeader.size, top..<top + node.size, tables.reference..<tables.reference + tables.size,
      ]
      // A copy as it is streamed has its place at the end.
      if header.end < bytes.count { ranges.append(header.end..<bytes.count) }
      return ranges.contains { $0.overlaps(place) }
    }
  }

  private typealias Contents = [String: [Int64: [String: Content]]]

  /// - Parameter names: Those of the tables by their numbers; nil for those that the file says.
  private func contents(_ file: OfficialFile, names: [Int: String]? = nil) throws -> Contents {
    let names = names ?? self.names(file)
    return Dictionary(
      try file.classes.map { ($0.className!, try $0.contents(names)) },
      uniquingKeysWith: { first, _ in first })
  }

  private func names(_ file: OfficialFile) -> [Int: String] {
    Dictionary(uniqueKeysWithValues: file.tables.map { ($0.number, $0.className ?? $0.name) })
  }

  /// Whether a damage touches the names of the tables, of which a changed one is as good as any other.
  private func touchesNames(_ place: Range<Int>, _ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      guard let header = try? FileHeader(buffer), let top = header.top else { return true }
      let space = NodeSpace(base: buffer.baseAddress!, end: header.end)
      guard let slots = try? space.references(at: top), let names = try? space.node(at: slots.reference(0))
      else { return true }
      return (names.reference..<names.reference + names.size).overlaps(place)
    }
  }

  /// What differs without a loss that tells of it: the properties and the classes of whose objects some are missing. Each damaged node may
  /// hold one, as a value or key that is another one without being wrong.
  private func unnoticedDifferences(_ found: Contents, _ expected: Contents, _ losses: Losses) -> Set<String>
  {
    func isLost(_ name: String, _ property: String?, _ kinds: Set<Losses.Kind>) -> Bool {
      losses.all.contains { loss in
        kinds.contains(loss.kind) && (loss.className == name || loss.className == nil)
          && (property == nil || loss.property == property)
      }
    }
    var unnoticed: Set<String> = []
    for (name, objects) in expected {
      if isLost(name, nil, [.classes]) { continue }
      guard let foundObjects = found[name] else {
        unnoticed.insert("class \(name)")
        continue
      }
      for (key, values) in objects {
        guard let foundValues = foundObjects[key] else {
          if !isLost(name, nil, [.objects]) { unnoticed.insert("objects of \(name)") }
          continue
        }
        for (property, value) in values where foundValues[property] != value {
          if isLost(name, property, [.properties, .values, .elements]) { continue }
          unnoticed.insert("\(name).\(property)")
        }
      }
    }
    return unnoticed
  }

  @Test func aDamagedPageOfAnEncryptedFileLosesWhatIsInIt() throws {
    let sample = Sample.encrypted
    let original = try sample.bytes()
    let expected = try contents(sample.open())
    var random = SeededGenerator(printing: 4_096)
    var lossy = 0
    for number in 0..<TestLength.count(60, long: 1_000) {
      var bytes = original
      // Behind the table of the pages and the page with the header.
      let place = Int.random(in: 8_192..<bytes.count, using: &random)
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      let file = try salvage(bytes, key: sample.key)
      let found = try contents(file)
      let losses = try #require(file.losses)
      if found != expected {
        #expect(!losses.isEmpty, "mutant \(number)")
        lossy += 1
      }
    }
    #expect(lossy > 10)
  }

  @Test func withoutTheTopArrayThatCountsTheOtherOneIsTaken() throws {
    var bytes = try Sample.types.bytes()
    let header = try bytes.withUnsafeBytes { try FileHeader($0) }
    let top = try #require(header.top)
    let isSecond = bytes[23] & 1 == 1
    // The other place gets the same top array, and this one leads nowhere.
    let (this, other) = isSecond ? (8, 0) : (0, 8)
    for byte in 0..<8 {
      bytes[other + byte] = UInt8(truncatingIfNeeded: top >> (8 * byte))
      bytes[this + byte] = 0x55
    }
    bytes[isSecond ? 20 : 21] = bytes[isSecond ? 21 : 20]
    #expect(throws: OfficialFileError.self) { try OfficialFile(bytes) }
    let file = try salvage(bytes)
    #expect(try contents(file) == contents(Sample.types.open()))
  }

  @Test func tablesBeforeFormat10() throws {
    let bytes = FileBuilder.oldFile()
    let original = try Mutant.Original(bytes)
    let count = try OfficialFile(bytes).readAll()
    var random = SeededGenerator(printing: 9)
    var lossy = 0
    var refused = 0
    for _ in 0..<TestLength.count(400, long: 10_000) {
      let damaging = Bool.random(using: &random) ? Damaging.byte : .node
      let (damaged, place) = damage(damaging, original, using: &random)
      do {
        let file = try salvage(damaged)
        let found = try file.readAll()
        if found < count { lossy += 1 }
        // A changed byte may be another value, such as no link.
        if found < count && damaging == .node { #expect(try !#require(file.losses).isEmpty, "\(place)") }
      } catch is OfficialFileError {
        refused += 1
        #expect(isAtTop(place, bytes), "\(place)")
      }
    }
    print("format 9: \(lossy) with losses, \(refused) refused")
    #expect(lossy > 50)
  }

  @Test func lostValuesAreCounted() throws {
    let losses = Losses()
    let place = Place(path: "a.realm", className: "Dog", property: "name")
    for _ in 0..<2 {
      for position in 0..<5 {
        _ = try losses.noting(.values, place, count: 1, at: position) { throw Damage("no text", at: 64) }
      }
    }
    #expect(losses.all.map { losses.description(of: $0) } == ["Dog.name: lost 5 values: no text (byte 64)"])
    losses.add(.values, place, Damage("no text", at: 64), count: nil, at: 7)
    #expect(losses.description(of: losses.all[0]) == "Dog.name: lost values: no text (byte 64)")
  }

  /// Several damages at once end, in values or an error.
  @Test func whateverIsDamagedReadingEnds() throws {
    var random = SeededGenerator(printing: 20_261_125)
    for sample in [Sample.schema, .collections] {
      let original = try Mutant.Original(sample.bytes())
      for _ in 0..<TestLength.count(100, long: 20_000) {
        let mutant = Mutant(original, using: &random)
        do {
          let count = try salvage(mutant.bytes).readAll()
          #expect(count <= mutant.bytes.count * 125)
        } catch is OfficialFileError {}
      }
    }
  }
}

extension OfficialTable {
  /// - Parameter names: Those of the tables by their numbers, of which some may be lost.
  fileprivate func contents(_ names: [Int: String]) throws -> [Int64: [String: Content]] {
    var objects: [Int64: [String: Content]] = [:]
    try forEachBlock { block in
      let keys = (0..<block.count).map { block.key(at: $0) }
      for key in keys { objects[key] = [:] }
      for (number, property) in properties.enumerated() {
        try block.forEachValue(ofProperty: number) { row, value in
          objects[keys[row]]![property.name] = try Content(value, names)
        }
      }
    }
    return objects
  }
}
