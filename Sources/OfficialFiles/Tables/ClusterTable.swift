/// Reads the schema of a table since format 10.
struct ClusterTable {
  /// Slots of a table's top node.
  private enum Slot {
    static let spec = 0
    static let clusters = 2
    static let key = 3
    static let targets = 7
    static let primaryKey = 11
    static let kind = 12
    static let least = 12
  }

  /// Slots of a spec.
  private enum SpecSlot {
    static let types = 0
    static let names = 1
    static let attributes = 2
    static let enumerations = 4
    static let keys = 5
    static let least = 6
  }

  private static let stringType: Int64 = 2

  private let source: ValueSource
  private let name: TableName
  private let top: References

  /// The key of the table in a slot of the file.
  static func key(_ space: NodeSpace, _ reference: Int, slot: Int) throws -> Int {
    let top = try space.references(at: reference)
    guard top.count >= Slot.least else { throw top.damage("a table of \(top.count) slots") }
    let key = try top.number(Slot.key)
    guard key & 0xFFFF == slot else { throw top.damage("a table of key \(key) at place \(slot)") }
    return key
  }

  init(_ source: ValueSource, _ name: TableName, _ reference: Int) throws {
    self.source = source
    self.name = name
    top = try source.space.references(at: reference)
  }

  func table(_ number: Int) throws -> OfficialTable {
    let (properties, columns) = try columns()
    let rows = try ClusterRows(
      clusters(), columns, source.space, source.counts.losses, name.place)
    return try OfficialTable(number, name, kind(), properties, rows)
  }

  /// The root of the objects.
  private func clusters() throws -> Int? {
    return try source.counts.losses.noting(.objects, name.place, count: nil) {
      try top.reference(ifAny: Slot.clusters)
    }
      ?? nil
  }

  private func kind() throws -> OfficialTable.Kind {
    guard top.count > Slot.kind, top[Slot.kind] != 0 else { return .topLevel }
    switch try top.number(Slot.kind) & 3 {
    case 0: return .topLevel
    case 1: return .embedded
    case 2: return .asymmetric
    default: throw top.damage("a table of an unknown kind")
    }
  }

  private func columns() throws -> ([OfficialProperty], [ClusterColumn]) {
    let space = source.space
    let spec = try space.references(at: top.reference(Slot.spec))
    guard spec.count >= SpecSlot.least else { throw spec.damage("a schema of \(spec.count) slots") }
    let types = try space.integers(at: spec.reference(SpecSlot.types))
    let attributes = try space.integers(at: spec.reference(SpecSlot.attributes))
    let keys = try space.integers(at: spec.reference(SpecSlot.keys))
    guard keys.count <= 1 << 16 else { throw keys.damage("\(keys.count) properties") }
    let names = try ShortStrings.names(space.node(at: spec.reference(SpecSlot.names)), limit: keys.count)
    guard types.count == keys.count, attributes.count == keys.count else {
      throw spec.damage(
        "\(keys.count) keys, \(types.count) types and \(attributes.count) attributes of properties")
    }
    let enumerations = try spec.reference(ifAny: SpecSlot.enumerations).map { try space.references(at: $0) }
    let targets = try top.reference(ifAny: Slot.targets).map { try space.integers(at: $0) }
    var properties: [OfficialProperty] = []
    var columns: [ClusterColumn] = []
    var places: Set<Int> = []
    var known: Set<String> = []
    for number in 0..<keys.count {
      guard places.insert(ColumnKey.place(keys[number])).inserted else {
        throw spec.damage("two properties at place \(ColumnKey.place(keys[number]))")
      }
      if ColumnKey.isBacklink(keys[number]) { continue }
      guard number < names.count else { throw spec.damage("a property without a name") }
      guard known.insert(names[number]).inserted else {
        throw spec.damage("two properties '\(names[number])'")
      }
      let description = ColumnDescription(
        name: names[number], key: try ColumnKey(keys[number], names[number]), type: types[number],
        attributes: ColumnAttributes(rawValue: attributes[number]),
        isPrimaryKey: try isPrimaryKey(keys[number]))
      let strings = enumerations.flatMap { number < $0.count ? $0 : nil }
      func read() throws -> (OfficialProperty, ClusterColumn) {
        let enumeration = try strings?.reference(ifAny: number).map { try self.enumeration($0) }
        let target = try target(description, targets)
        try checkKeys(description)
        return (description.property(target), column(description, target, enumeration))
      }
      let place = name.place(description.name)
      let losses = source.counts.losses
      let found = try losses.noting(.properties, place, count: nil, read)
      guard let (property, column) = found else { continue }
      properties.append(property)
      columns.append(column)
    }
    return (properties, columns)
  }

  private func isPrimaryKey(_ key: Int64) throws -> Bool {
    try top.isNumber(Slot.primaryKey) && Int64(top.number(Slot.primaryKey)) == key
  }

  private func enumeration(_ reference: Int) throws -> Enumeration {
    Enumeration([try Strings(source.space.node(at: reference), .current, source.space)])
  }

  /// Dictionaries of the SDKs have strings as keys.
  private func checkKeys(_ column: ColumnDescription) throws {
    if column.key.collection == .dictionary && column.type >> 16 != Self.stringType {
      throw Unsupported(what: "dictionary '\(column.name)' has keys that are no strings, which no SDK writes")
    }
  }

  private func target(_ column: ColumnDescription, _ targets: IntegerArray?) throws -> Int? {
    if column.key.type != .link { return nil }
    guard let targets, column.key.place < targets.count else {
      throw top.damage("property '\(column.name)' has no target")
    }
    let key = targets[column.key.place]
    guard let number = source.tables.number(ofKey: key) else {
      throw targets.damage("property '\(column.name)' leads to table \(key), which is not there")
    }
    return number
  }

  private func column(
    _ description: ColumnDescription, _ target: Int?, _ enumeration: Enumeration?
  ) -> ClusterColumn {
    let key = description.key
    return ClusterColumn(
      place: key.place, collection: key.collection,
      layout: LeafLayout(
        key.type, isNullable: key.isNullable, isElement: key.collection != nil, enumeration: enumeration),
      context: ValueContext(source, name.place(description.name), target: target))
  }
}

/// What a table says of a column.
private struct ColumnDescription {
  let name: String
  let key: ColumnKey
  /// With the type of a dictionary's keys.
  let type: Int64
  let attributes: ColumnAttributes
  let isPrimaryKey: Bool

  func property(_ target: Int?) -> OfficialProperty {
    OfficialProperty(
      name: name, type: key.type, isNullable: key.isNullable || key.type == .mixed,
      collection: key.collection,
      isIndexed: attributes.contains(.indexed), isFullTextIndexed: attributes.contains(.fullText),
      isPrimaryKey: isPrimaryKey, target: target)
  }
}
