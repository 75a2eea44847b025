/// Reads what a schema before format 10 says of a column.
struct OldColumn {
  /// Types that later formats do not have.
  private enum Kind {
    static let enumeratedString = 3
    static let subtable = 5
    static let mixed = 6
    static let date = 7
  }

  private static let types: [Int: OfficialType] = [
    0: .int, 1: .bool, 2: .string, 4: .data, Kind.date: .date, 8: .date, 9: .float, 10: .double, 12: .link,
    ColumnType.linkList: .link, Kind.enumeratedString: .string,
  ]

  private let source: ValueSource
  private let place: Place
  private let type: Int
  private let attributes: ColumnAttributes

  init(_ source: ValueSource, _ place: Place, _ type: Int, _ attributes: ColumnAttributes) {
    self.source = source
    self.place = place
    self.type = type
    self.attributes = attributes
  }

  func read(
    _ extras: inout OldExtras, _ enumerations: inout OldExtras
  ) throws -> (OfficialProperty, IndexedLayout) {
    if type == Kind.subtable { return try list(extras.takeReference()) }
    var target: Int?
    if type == ColumnType.linkList || Self.types[type] == .link {
      target = try self.target(extras.takeNumber())
    }
    let isList = type == ColumnType.linkList
    let strings = type == Kind.enumeratedString ? try enumeration(enumerations.takeReference()) : nil
    let isNullable = target == nil ? attributes.contains(.nullable) : !isList
    return try described(
      type, isNullable: isNullable, collection: isList ? .list : nil, target: target, strings)
  }

  /// A table in each cell, of a single column: a list of values.
  private func list(_ specification: Int) throws -> (OfficialProperty, IndexedLayout) {
    let spec = try source.space.references(at: specification)
    let types = try source.space.integers(at: spec.reference(0))
    let attributes = try source.space.integers(at: spec.reference(2))
    guard types.count == 1, attributes.count == 1,
      ![Kind.subtable, Kind.enumeratedString].contains(Int(types[0]))
    else { throw Unsupported(what: "property '\(name)' has tables in it, which no SDK writes") }
    let isNullable = ColumnAttributes(rawValue: attributes[0]).contains(.nullable)
    guard Self.types[Int(types[0])] != .link else {
      throw Unsupported(what: "property '\(name)' has tables of links in it, which no SDK writes")
    }
    return try described(
      Int(types[0]), isNullable: isNullable, collection: .list, target: nil, nil, isTable: true)
  }

  private func described(
    _ type: Int, isNullable: Bool, collection: OfficialCollectionType?, target: Int?, _ strings: Enumeration?,
    isTable: Bool = false
  ) throws -> (OfficialProperty, IndexedLayout) {
    guard type != Kind.mixed else {
      throw Unsupported(what: "property '\(name)' has values of the first mixed type, which no SDK writes")
    }
    guard let known = Self.types[type] else {
      throw Damage("property '\(name)' is of an unknown type \(type)")
    }
    let property = OfficialProperty(
      name: name, type: known, isNullable: isNullable, collection: collection,
      isIndexed: attributes.contains(.indexed), isFullTextIndexed: false, isPrimaryKey: false, target: target)
    let layout = IndexedLayout(
      collection: collection, isTable: isTable, hasTwoTrees: type == 8,
      values: layout(type, known, isNullable, isElement: collection != nil, strings),
      context: ValueContext(source, place, target: target))
    return (property, layout)
  }

  private func layout(
    _ type: Int, _ known: OfficialType, _ isNullable: Bool, isElement: Bool, _ strings: Enumeration?
  ) -> LeafLayout {
    let form: StringForm = isNullable ? .oldNullable : .oldRequired
    switch known {
    case .bool: return .oldBooleans(isNullable: isNullable)
    case .string: return .strings(form, strings)
    case .data: return .data(form)
    case .date where type == Kind.date: return .oldDates(isNullable: isNullable)
    default: return LeafLayout(known, isNullable: isNullable, isElement: isElement, enumeration: nil)
    }
  }

  /// The strings that numbers stand for.
  private func enumeration(_ reference: Int) throws -> Enumeration {
    let form: StringForm = attributes.contains(.nullable) ? .oldNullable : .oldRequired
    let context = ValueContext(source, place, target: nil)
    var leaves: [Strings] = []
    try Tree(reference, .strings(form, nil), context).forEachLeaf { leaf in
      if case .strings(let strings) = leaf { leaves.append(strings) }
    }
    return Enumeration(leaves)
  }

  private func target(_ key: Int) throws -> Int {
    guard let number = source.tables.number(ofKey: Int64(key)) else {
      throw Damage("property '\(name)' leads to table \(key), which is not there")
    }
    return number
  }

  private var name: String { place.property ?? "" }
}
