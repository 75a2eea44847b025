/// Reads the schema of a table before format 10: its columns are trees as long as the table, and an object is its number in all of
/// them.
struct IndexedTable {
  private enum Slot {
    static let spec = 0
    static let columns = 1
    /// Those of tables that are not on their way to a newer format.
    static let counts = 2...3
  }

  private enum SpecSlot {
    static let types = 0
    static let names = 1
    static let attributes = 2
    static let extras = 3
    static let enumerations = 4
    static let counts = 3...5
  }

  private static let largest = 1 << 16
  /// What synchronised files have in front.
  private static let hiddenName = "!OID"

  private let source: ValueSource
  private let name: TableName
  private let spec: References
  private let roots: References?

  init(_ source: ValueSource, _ name: TableName, _ reference: Int) throws {
    self.source = source
    self.name = name
    let top = try source.space.references(at: reference)
    guard top.count >= Slot.counts.lowerBound else { throw top.damage("a table of \(top.count) slots") }
    guard top.count <= Slot.counts.upperBound else {
      throw OfficialFileError(path: source.path, reason: .halfUpgraded(source.format))
    }
    spec = try source.space.references(at: top.reference(Slot.spec))
    guard SpecSlot.counts.contains(spec.count) else { throw spec.damage("a schema of \(spec.count) slots") }
    roots = try top.reference(ifAny: Slot.columns).map { try source.space.references(at: $0) }
  }

  func table(_ number: Int) throws -> OfficialTable {
    let space = source.space
    let types = try space.integers(at: spec.reference(SpecSlot.types))
    let attributes = try space.integers(at: spec.reference(SpecSlot.attributes))
    guard types.count == attributes.count, types.count <= Self.largest else {
      throw spec.damage("\(types.count) types and \(attributes.count) attributes of properties")
    }
    var extras = OldExtras(spec.count > SpecSlot.extras ? try entries(SpecSlot.extras) : nil)
    var enumerations = OldExtras(
      spec.count > SpecSlot.enumerations ? try entries(SpecSlot.enumerations) : nil)
    let names = try names(types.count)
    var properties: [OfficialProperty] = []
    var columns: [IndexedColumn] = []
    var root = 0
    for column in 0..<types.count {
      let attributes = ColumnAttributes(rawValue: attributes[column])
      let place = root
      // The search index of a column lies behind it.
      root += attributes.contains(.indexed) ? 2 : 1
      let type = Int(types[column])
      if type == ColumnKey.backlinkType {
        extras.skip(2)
        continue
      }
      let reader = OldColumn(source, name.place(names[column]), type, attributes)
      func read() throws -> (OfficialProperty, IndexedColumn?) {
        let (property, layout) = try reader.read(&extras, &enumerations)
        return (property, try roots.map { IndexedColumn(root: try $0.reference(place), layout) })
      }
      let losses = source.counts.losses
      let found =
        try losses.noting(.properties, name.place(names[column]), count: nil, read)
      guard let (property, values) = found, names[column] != Self.hiddenName else { continue }
      properties.append(property)
      if let values { columns.append(values) }
    }
    return try OfficialTable(number, name, .topLevel, properties, IndexedRows(columns, source.counts.losses))
  }

  private func entries(_ slot: Int) throws -> References? {
    try spec.reference(ifAny: slot).map { try source.space.references(at: $0) }
  }

  /// Returns the names of all columns; missing and repeated names are generated as engines do when they upgrade a file.
  private func names(_ count: Int) throws -> [String] {
    var names = try ShortStrings.names(source.space.node(at: spec.reference(SpecSlot.names)), limit: count)
    names += Array(repeating: "", count: count - names.count)
    var known: Set<String> = []
    for number in names.indices {
      if names[number].isEmpty {
        names[number] = "col_\(number)"
      } else if known.contains(names[number]) {
        names[number] += "_\(number)"
      }
      known.insert(names[number])
    }
    return names
  }
}

/// Entries that columns take in turn, as many as their types need.
struct OldExtras {
  private let entries: References?
  private var next = 0

  init(_ entries: References?) { self.entries = entries }

  mutating func skip(_ count: Int) { next += count }

  mutating func takeReference() throws -> Int { try take { try $0.reference($1) } }
  mutating func takeNumber() throws -> Int { try take { try $0.number($1) } }

  private mutating func take<Entry>(_ read: (References, Int) throws -> Entry) throws -> Entry {
    guard let entries, next < entries.count else { throw Damage("a schema without what a property needs") }
    next += 1
    return try read(entries, next - 1)
  }
}
