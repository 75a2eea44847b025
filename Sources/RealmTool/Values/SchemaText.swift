import Storage

/// The classes of a file in the forms in which they are shown.
struct SchemaText {
  let catalogue: Catalogue
  let classes: [TableDescription]
  private let classNames: SwiftNames

  init(_ catalogue: Catalogue, _ classes: [TableDescription]) {
    self.catalogue = catalogue
    self.classes = classes
    classNames = SwiftNames(classes.map(\.name), .classes)
  }

  private func columns(_ description: TableDescription) -> [Column] {
    description.columns.filter { !$0.isRemoved && !$0.name.isEmpty }
  }

  private func target(_ column: Column) -> String? {
    column.target < 0 ? nil : catalogue.tables[column.target].name
  }

  // MARK: For people

  func plain(_ style: Style) -> String {
    var text = ""
    for description in classes {
      if !text.isEmpty { text += "\n" }
      text += style.heading(description.name) + (description.isEmbedded ? " (embedded)" : "") + "\n"
      let columns = columns(description)
      let width = columns.map { DisplayWidth.of(style.plain($0.name)) }.max() ?? 0
      for column in columns {
        let name = style.plain(column.name)
        let padding = String(repeating: " ", count: width - DisplayWidth.of(name))
        text += "  \(name)\(padding)  \(style.plain(type(column)))"
        let notes = Self.notes(column)
        if !notes.isEmpty { text += style.faint("  \(notes.joined(separator: ", "))") }
        text += "\n"
      }
      for index in description.indexes {
        text += "  \(style.plain(PlannedIndex.text(index.kind, names(index, of: description))))\n"
      }
    }
    return text
  }

  private func names(_ index: CompoundIndex, of description: TableDescription) -> [String] {
    index.columns.map { description.columns[$0].name }
  }

  /// What there is to say of a property besides its type.
  static func notes(_ column: Column) -> [String] {
    let indexes = [
      column.isIndexed && !column.isPrimaryKey ? "indexed" : nil, column.isFullText ? "full text" : nil,
    ]
    return rules(column) + indexes.compactMap { $0 }
  }

  /// Returns the marks of a column that restrict which objects can exist.
  static func rules(_ column: Column) -> [String] {
    [
      column.isPrimaryKey ? "primary key" : nil, column.isSequence ? "auto-increment" : nil,
      column.isUnique ? "unique" : nil,
      column.linkRule == .nullify ? nil : "on delete \(TypeNames.name(column.linkRule))",
    ].compactMap { $0 }
  }

  private func type(_ column: Column) -> String {
    let element = (target(column) ?? TypeNames.name(column.type)) + (column.isDeclaredOptional ? "?" : "")
    return TypeNames.name(column.collection).map { "\($0) of \(element)" } ?? element
  }

  // MARK: For programs

  /// As an encoder writes a `DescribedClass` of the library.
  var json: String {
    var bytes: [UInt8] = []
    bytes += "{\n  \"schemaVersion\": \(catalogue.schemaVersion),\n  \"classes\": [".utf8
    for (position, description) in classes.enumerated() {
      bytes += (position == 0 ? "\n" : ",\n").utf8
      bytes += "    {\"name\": ".utf8
      bytes.appendJSON(description.name)
      if description.isEmbedded { bytes += ", \"embedded\": true".utf8 }
      bytes += ", \"properties\": [".utf8
      for (position, column) in columns(description).enumerated() {
        bytes += (position == 0 ? "\n      " : ",\n      ").utf8
        append(column, to: &bytes)
      }
      bytes += "\n    ]".utf8
      append(description.indexes, of: description, to: &bytes)
      bytes += "}".utf8
    }
    bytes += "\n  ]\n}\n".utf8
    return String(decoding: bytes, as: UTF8.self)
  }

  private func append(
    _ indexes: [CompoundIndex], of description: TableDescription, to bytes: inout [UInt8]
  ) {
    if indexes.isEmpty { return }
    bytes += ", \"indexes\": [".utf8
    for (position, index) in indexes.enumerated() {
      bytes += (position == 0 ? "\n      " : ",\n      ").utf8
      bytes += "{\"kind\": \"\(PlannedIndex.name(index.kind))\", \"properties\": [".utf8
      for (position, name) in names(index, of: description).enumerated() {
        if position > 0 { bytes += ", ".utf8 }
        bytes.appendJSON(name)
      }
      bytes += "]}".utf8
    }
    bytes += "\n    ]".utf8
  }

  private func append(_ column: Column, to bytes: inout [UInt8]) {
    bytes += "{\"name\": ".utf8
    bytes.appendJSON(column.name)
    bytes += ", \"type\": \"\(TypeNames.name(column.type))\"".utf8
    if let target = target(column) {
      bytes += ", \"class\": ".utf8
      bytes.appendJSON(target)
    }
    if let collection = TypeNames.name(column.collection) {
      bytes += ", \"collection\": \"\(collection)\"".utf8
    }
    if column.isDeclaredOptional && column.type != .link { bytes += ", \"optional\": true".utf8 }
    if column.isPrimaryKey { bytes += ", \"primaryKey\": true".utf8 }
    if column.isIndexed && !column.isPrimaryKey { bytes += ", \"indexed\": true".utf8 }
    if column.isFullText { bytes += ", \"fullText\": true".utf8 }
    if column.isSequence { bytes += ", \"autoIncrement\": true".utf8 }
    if column.isUnique { bytes += ", \"unique\": true".utf8 }
    if column.linkRule != .nullify {
      bytes += ", \"onDelete\": \"\(TypeNames.name(column.linkRule))\"".utf8
    }
    bytes += "}".utf8
  }

  // MARK: For Swift

  var swift: String {
    var text = "import Foundation\nimport RealmSwift\n"
    for description in classes {
      text += "\nclass \(classNames.identifier(description.name)): "
      text += description.isEmbedded ? "EmbeddedObject {\n" : "Object {\n"
      let columns = columns(description)
      let names = SwiftNames(columns.map(\.name), .properties)
      for column in columns {
        text += "  \(attribute(column)) var \(names.identifier(column.name)): \(swiftType(column))\n"
      }
      text += indexes(description, names)
      text += storedNames(description.name, names)
      text += "}\n"
    }
    return text
  }

  /// What the class and its properties are called in the file, where that can be no name in Swift.
  private func storedNames(_ className: String, _ names: SwiftNames) -> String {
    var text = ""
    if classNames.isRenamed(className) {
      text +=
        "\n  override class func _realmObjectName() -> String? { \(SwiftNames.literal(className)) }\n"
    }
    if !names.renamed.isEmpty {
      text += "\n  override class func propertiesMapping() -> [String: String] {\n    [\n"
      for (identifier, name) in names.renamed {
        text += "      \(SwiftNames.literal(identifier)): \(SwiftNames.literal(name)),\n"
      }
      text += "    ]\n  }\n"
    }
    return text
  }

  private func indexes(_ description: TableDescription, _ names: SwiftNames) -> String {
    if description.indexes.isEmpty { return "" }
    let list = description.indexes.map { index in
      let paths = self.names(index, of: description).map { "\\.\(names.identifier($0))" }
      let kind = index.kind == .plain ? "index" : PlannedIndex.name(index.kind)
      return "      .\(kind)(\(paths.joined(separator: ", "))),\n"
    }
    return "\n  override class func indexes() -> [Index] {\n    [\n\(list.joined())    ]\n  }\n"
  }

  private func attribute(_ column: Column) -> String {
    if column.isPrimaryKey {
      return column.isSequence
        ? "@Persisted(primaryKey: true, autoIncrement: true)" : "@Persisted(primaryKey: true)"
    }
    let flags = [
      column.isUnique
        ? "unique: true" : column.isIndexed && Self.canDeclareIndex(column) ? "indexed: true" : nil,
      column.isFullText ? "fullText: true" : nil,
      column.linkRule == .nullify ? nil : "onDelete: .\(TypeNames.name(column.linkRule))",
    ].compactMap { $0 }
    return flags.isEmpty ? "@Persisted" : "@Persisted(\(flags.joined(separator: ", ")))"
  }

  /// Whether the library's declarations have an index for the type: files of the official SDK have some for mixed values,
  /// too.
  private static func canDeclareIndex(_ column: Column) -> Bool {
    [.int, .bool, .string, .date, .objectId, .uuid].contains(column.type)
  }

  private func swiftType(_ column: Column) -> String {
    let element = elementType(column) + (column.isDeclaredOptional ? "?" : "")
    return switch column.collection {
    case .none: element
    case .list: "List<\(element)>"
    case .set: "MutableSet<\(element)>"
    case .map: "Map<String, \(element)>"
    }
  }

  private func elementType(_ column: Column) -> String {
    switch column.type {
    case .int: "Int"
    case .bool: "Bool"
    case .string: "String"
    case .data: "Data"
    case .date: "Date"
    case .float: "Float"
    case .double: "Double"
    case .link: classNames.identifier(target(column) ?? "Object")
    case .mixed: "AnyRealmValue"
    case .objectId: "ObjectId"
    case .decimal128: "Decimal128"
    case .uuid: "UUID"
    }
  }
}

extension Column {
  /// Whether a declaration says that the value, or an element, may be null.
  var isDeclaredOptional: Bool {
    switch (type, collection) {
    case (.link, .none), (.link, .map): true
    case (.link, _), (.mixed, _): false
    default: isNullable
    }
  }
}
