@testable import OfficialFiles

/// Writes an official file node by node.
struct FileBuilder {
  private(set) var bytes = [UInt8](repeating: 0, count: FileHeader.size)
  var format: UInt8 = 24

  struct Flags: OptionSet {
    let rawValue: UInt8
    static let inner = Flags(rawValue: 0xC0)
    static let references = Flags(rawValue: 0x40)
    static let context = Flags(rawValue: 0x20)
    static let byteWidths = Flags(rawValue: 0x08)
    static let noWidth = Flags(rawValue: 0x10)
  }

  // MARK: Nodes

  /// - Parameter width: The code of a width.
  mutating func node(_ flags: Flags, width: UInt8 = 0, count: Int, _ payload: [UInt8] = []) -> Int {
    let reference = bytes.count
    bytes += [65, 65, 65, 65, flags.rawValue | width]
    bytes += [UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255)]
    bytes += payload
    // What fills a node up is not zero.
    bytes += Array(repeating: 0xEE, count: (8 - bytes.count % 8) % 8)
    return reference
  }

  /// Integers of 64 bits.
  mutating func integers(_ values: [Int64], _ flags: Flags = []) -> Int {
    node(flags, width: 7, count: values.count, values.flatMap { Self.bytes(UInt64(bitPattern: $0)) })
  }

  /// References; `number` makes those that are none.
  mutating func references(_ values: [Int], _ flags: Flags = .references) -> Int {
    integers(values.map(Int64.init), flags.union(.references))
  }

  static func number(_ value: Int) -> Int { value << 1 | 1 }

  /// Short strings of 16 bytes; nil is null.
  mutating func strings(_ values: [String?], width: Int = 16, code: UInt8 = 5) -> Int {
    let cells = values.flatMap { value -> [UInt8] in
      guard let value else { return Array(repeating: 0, count: width - 1) + [UInt8(width)] }
      let unused = width - 1 - value.utf8.count
      return Array(value.utf8) + Array(repeating: 0, count: unused) + [UInt8(unused)]
    }
    return node(.byteWidths, width: code, count: values.count, cells)
  }

  mutating func blob(_ content: [UInt8]) -> Int { node(.noWidth, count: content.count, content) }

  static func bytes(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// Changes a byte that is there.
  mutating func set(_ offset: Int, _ value: UInt8) { bytes[offset] = value }

  // MARK: Tables

  struct Column {
    var name = "p"
    var type: Int64
    var attributes: Int64 = 0
    var place: Int64 = 0
    /// What only the schema says.
    var extraAttributes: Int64 = 0

    var key: Int64 { 7 << 30 | attributes << 22 | type << 16 | place }
  }

  /// A table of format 10 or later.
  mutating func table(
    _ columns: [Column], clusters: Int, key: Int = 0, targets: [Int64]? = nil, primaryKey: Int64? = nil,
    enumerations: [Int]? = nil, kind: Int = 0
  ) -> Int {
    // Dictionaries have strings as keys.
    let types = integers(columns.map { $0.type | ($0.attributes & 64 != 0 ? 2 << 16 : 0) })
    let names = strings(columns.map(\.name), width: 32, code: 6)
    let attributes = integers(columns.map { $0.attributes | $0.extraAttributes })
    let keys = integers(columns.map(\.key))
    let values = enumerations.map { references($0) } ?? 0
    let spec = references([types, names, attributes, 0, values, keys])
    let places = targets.map { integers($0) } ?? 0
    return references([
      spec, 0, clusters, Self.number(key), 0, Self.number(0), Self.number(0), places, 0, Self.number(0), 0,
      primaryKey.map { Self.number(Int($0)) } ?? 0, Self.number(kind), 0,
    ])
  }

  /// A cluster whose objects have the keys 0, 1, …
  mutating func cluster(count: Int, _ leaves: [Int]) -> Int { references([Self.number(count)] + leaves) }

  /// The whole file.
  mutating func file(_ tables: [(name: String, reference: Int)], streamed: Bool = false) -> [UInt8] {
    let names = strings(tables.map(\.name), width: 32, code: 6)
    let slots = references(tables.map(\.reference))
    let top = bytes.count
    let size = top + 8 + 3 * 8
    _ = references([names, slots, Self.number(size)])
    return finish(top: top, streamed: streamed)
  }

  mutating func finish(top: Int, streamed: Bool = false) -> [UInt8] {
    bytes.replaceSubrange(16..<24, with: Array("T-DB".utf8) + [format, format, 0, 0])
    bytes.replaceSubrange(0..<8, with: streamed ? Array(repeating: 255, count: 8) : Self.bytes(UInt64(top)))
    if streamed { bytes += Self.bytes(UInt64(top)) + Self.bytes(0x3034_1252_37E5_26C8) }
    return bytes
  }
}

extension FileBuilder {
  /// The values of a property of one table, whose leaf the closure makes.
  static func values(
    _ column: Column, count: Int, format: UInt8 = 24, targets: [Int64]? = nil, enumeration: [String]? = nil,
    _ leaf: (inout FileBuilder) -> Int
  ) throws -> [Content] {
    var builder = FileBuilder()
    builder.format = format
    let leaf = leaf(&builder)
    let clusters = builder.cluster(count: count, [leaf])
    let strings = enumeration.map { [builder.strings($0)] }
    let table = builder.table([column], clusters: clusters, targets: targets, enumerations: strings)
    let file = try OfficialFile(builder.file([("class_A", table)]))
    return try file.values()
  }
}

extension OfficialFile {
  /// Those of the first property of the first table.
  func values() throws -> [Content] {
    let table = tables[0]
    let name = table.properties[0].name
    return try table.contents(self).sorted { $0.key < $1.key }.map { $0.value[name]! }
  }
}

extension Content {
  static func text(_ string: String) -> Content { .string(Array(string.utf8)) }
}
