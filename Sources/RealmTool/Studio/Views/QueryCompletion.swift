import RealmSwift
import Storage

/// What can follow in a query line at a position.
struct QueryCompletion {
  private struct Item {
    let text: String
    let kind: String
    let detail: String
  }

  private let reader: ClassReader
  private let position: Int
  private let line: QueryLineBeginning
  /// The class that the path before the position leads to; nil when it leads to none.
  private let owner: ClassReader?

  private static let itemLimit = 50
  private static let valueLimit = 50
  /// Maximum number of objects whose values are read.
  private static let scanLimit = 100_000

  /// - Parameter position: In units of UTF-16, as the page counts.
  init(_ reader: ClassReader, _ text: String, position: Int) {
    self.reader = reader
    let units = Array(text.utf16)
    self.position = min(max(position, 0), units.count)
    line = QueryLineBeginning(String(decoding: units[..<self.position], as: UTF16.self))
    owner = Self.owner(of: line.path, from: reader)
  }

  /// The class that links lead to.
  private static func owner(of path: [String], from reader: ClassReader) -> ClassReader? {
    var owner = reader
    for name in path {
      guard let number = owner.columns.first(where: { owner.column($0).name.isExactly(name) }),
        owner.column(number).type == .link
      else { return nil }
      owner = ClassReader(owner.snapshot, owner.column(number).target)
    }
    return owner
  }

  var json: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append("{\"from\":\(position - line.partialLength),\"to\":\(position),\"items\":")
    bytes.appendArray(matching) { item, bytes in
      bytes.append("{\"text\":")
      bytes.appendJSON(item.text)
      bytes.append(",\"kind\":\"\(item.kind)\",\"detail\":")
      bytes.appendJSON(item.detail)
      bytes.append("}")
    }
    bytes.append("}")
    return bytes
  }

  /// The items that begin with what is there already, and then those that contain it.
  private var matching: ArraySlice<Item> {
    let wanted = line.partial.lowercased()
    let all = items
    if wanted.isEmpty { return all.prefix(Self.itemLimit) }
    func plain(_ item: Item) -> String { item.text.lowercased().filter { !"`'\"".contains($0) } }
    let beginning = all.filter { plain($0).hasPrefix(wanted) }
    let containing = all.filter { !plain($0).hasPrefix(wanted) && plain($0).contains(wanted) }
    return (beginning + containing).prefix(Self.itemLimit)
  }

  private var items: [Item] {
    if !line.path.isEmpty { return properties }
    switch line.place {
    case .operand: return properties + ["ANY", "ALL", "NONE", "NOT"].map(Self.word)
    case .property: return properties
    case .connective: return ["AND", "OR"].map(Self.word)
    case .operation(let path): return column(path).map { operators($0.column) } ?? []
    case .value(let path): return column(path).map { values($0.reader, $0.number) } ?? []
    }
  }

  private static func word(_ text: String) -> Item { Item(text: text, kind: "operator", detail: "") }

  private func column(_ path: [String]) -> (reader: ClassReader, number: Int, column: Column)? {
    guard let name = path.last, let owner = Self.owner(of: path.dropLast(), from: reader),
      let number = owner.columns.first(where: { owner.column($0).name.isExactly(name) })
    else { return nil }
    return (owner, number, owner.column(number))
  }

  private var properties: [Item] {
    guard let owner else { return [] }
    return owner.columns.map { number in
      let column = owner.column(number)
      let target =
        column.target >= 0 ? " \(owner.snapshot.catalogue.tables[column.target].name)" : ""
      return Item(
        text: StudioFilter.property(column.name), kind: "property", detail: TypeNames.name(column) + target)
    }
  }

  private func operators(_ column: Column) -> [Item] {
    if column.collection != .none { return ["==", "!=", "CONTAINS"].map(Self.word) }
    let names: [String]
    switch column.type {
    case .string:
      names =
        ["==", "!=", "BEGINSWITH", "CONTAINS", "ENDSWITH", "LIKE", "IN", "==[c]", "CONTAINS[c]"]
        + (column.isFullText ? ["TEXT"] : [])
    case .int, .float, .double, .decimal128, .date:
      names = ["==", "!=", "<", "<=", ">", ">=", "BETWEEN", "IN"]
    case .mixed:
      names = ["==", "!=", "<", "<=", ">", ">=", "BEGINSWITH", "CONTAINS", "ENDSWITH", "LIKE", "IN"]
    case .bool, .link, .data, .objectId, .uuid: names = ["==", "!=", "IN"]
    }
    return names.map(Self.word)
  }

  private func values(_ reader: ClassReader, _ number: Int) -> [Item] {
    let column = reader.column(number)
    var items: [Item] = []
    if column.type == .bool { items += ["true", "false"].map { Item(text: $0, kind: "value", detail: "") } }
    if column.type == .string && column.collection == .none {
      items += texts(reader, number).map {
        Item(text: StudioFilter.quoted($0.text, "\""), kind: "value", detail: "\($0.count)")
      }
    }
    if column.isNullable || column.type == .link || column.type == .mixed {
      items.append(Item(text: "NULL", kind: "value", detail: ""))
    }
    return items
  }

  /// The different texts of a property with the numbers of objects; none when there are many.
  private func texts(_ reader: ClassReader, _ number: Int) -> [(text: String, count: Int)] {
    var counts: [ValueDigest: (row: Int, count: Int)] = [:]
    let table = reader.table
    var seen = 0
    for row in 0..<table.rowLimit where table.isAlive(row) && !table.isNull(number, row) {
      reader.pause(at: row)
      seen += 1
      if seen > Self.scanLimit { break }
      counts[ValueDigest(table, number, row, .string), default: (row, 0)].count += 1
      if counts.count > Self.valueLimit { return [] }
    }
    let chosen = counts.values.sorted { ($0.count, $1.row) > ($1.count, $0.row) }
    // A long text is of no use in a query line.
    return chosen.filter { table.withBytes(number, $0.row) { $0.count } <= 200 }
      .map { (table.string(number, $0.row), $0.count) }
  }
}
