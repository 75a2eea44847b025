public import COpenRealm
import LibC
import RealmSwift

// schema.h

/// A schema that C uses.
final class SchemaHandle: Handle, MarkedHandle {
  static var mark: HandleMark { .schema }
  var schema: NumberedSchema
  /// Copies of the texts that C was given, which live as long as the handle.
  private var texts: [String: UnsafeMutablePointer<CChar>] = [:]

  init(_ schema: NumberedSchema) {
    self.schema = schema
    super.init(.schema)
  }

  deinit {
    for text in texts.values { free(text) }
  }

  func text(_ text: String) -> UnsafePointer<CChar> {
    if let known = texts[text] { return UnsafePointer(known) }
    let copy = strdup(text)!
    texts[text] = copy
    return UnsafePointer(copy)
  }

  /// The class at a place.
  func described(at place: Int) throws(Refusal) -> DescribedClass {
    guard schema.classes.indices.contains(place) else {
      throw Refusal(
        .noSuchClass, "The schema has no class at place \(place), but \(schema.classes.count) classes.")
    }
    return schema.classes[place]
  }
}

@c @implementation public func openrealm_schema_new() -> OpaquePointer? {
  handle { SchemaHandle(NumberedSchema()) }
}

@c @implementation public func openrealm_schema_add_class(
  _ schema: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ embedded: Bool
) -> Int32 {
  code { () throws(Refusal) in
    try SchemaHandle.with(schema) { schema throws(Refusal) in
      schema.schema.addClass(try checkedText(name), isEmbedded: embedded)
    }
  }
}

@c @implementation public func openrealm_schema_add_property(
  _ schema: OpaquePointer?, _ property: UnsafePointer<openrealm_property>?
) -> Int32 {
  code { () throws(Refusal) in
    try SchemaHandle.with(schema) { schema throws(Refusal) in
      guard let property else { throw .null }
      try schema.schema.add(DescribedProperty(property.pointee))
    }
  }
}

@c @implementation public func openrealm_schema_add_index(
  _ schema: OpaquePointer?, _ kind: Int32, _ count: Int, _ names: UnsafePointer<UnsafePointer<CChar>?>?
) -> Int32 {
  code { () throws(Refusal) in
    try SchemaHandle.with(schema) { schema throws(Refusal) in
      let known: Index.Kind
      switch kind {
      case Int32(OPENREALM_INDEX_PLAIN): known = .plain
      case Int32(OPENREALM_INDEX_UNIQUE): known = .unique
      case Int32(OPENREALM_INDEX_PRIMARY_KEY): known = .primaryKey
      default: throw Refusal(.badArgument, "\(kind) is no kind of an index.")
      }
      try schema.schema.add(Index(known, try Text.readAll(names, count)))
    }
  }
}

@c @implementation public func openrealm_schema_check(_ schema: OpaquePointer?) -> Int32 {
  code { () throws(Refusal) in
    try SchemaHandle.with(schema) { schema throws(Refusal) in try schema.schema.check() }
  }
}

@c @implementation public func openrealm_schema_from_json(
  _ text: UnsafePointer<CChar>?, _ size: Int
) -> OpaquePointer? {
  handle { () throws(Refusal) in
    guard let text else { throw .null }
    if size < 0 { throw Refusal(.badArgument, "The size of the text is impossible.") }
    return SchemaHandle(try NumberedSchema(json: UnsafeRawBufferPointer(start: text, count: size)))
  }
}

@c @implementation public func openrealm_schema_json(
  _ schema: OpaquePointer?, _ json: UnsafeMutablePointer<openrealm_value>?
) -> Int32 {
  code { () throws(Refusal) in
    try SchemaHandle.with(schema) { schema throws(Refusal) in
      guard let json else { throw .null }
      try Text.write(schema.schema.json, to: json)
    }
  }
}

@c @implementation public func openrealm_schema_of_file(
  _ path: UnsafePointer<CChar>?, _ key: UnsafePointer<UInt8>?
) -> OpaquePointer? {
  handle { () throws(Refusal) in
    let path = try checkedText(path)
    let key = try readKey(key)
    return SchemaHandle(try refusing { try NumberedSchema(fileAt: path, key: key) })
  }
}

@c @implementation public func openrealm_schema_of_realm(_ realm: OpaquePointer?) -> OpaquePointer? {
  handle { () throws(Refusal) in
    try RealmHandle.with(realm) { realm throws(Refusal) in
      SchemaHandle(try NumberedSchema(realm.numbered))
    }
  }
}

@c @implementation public func openrealm_schema_class_count(_ schema: OpaquePointer?) -> Int {
  value(or: 0) { () throws(Refusal) in
    try SchemaHandle.with(schema) { schema throws(Refusal) in schema.schema.classes.count }
  }
}

@c @implementation public func openrealm_schema_class_at(
  _ schema: OpaquePointer?, _ place: Int, _ embedded: UnsafeMutablePointer<Bool>?
) -> UnsafePointer<CChar>? {
  value(or: nil) { () throws(Refusal) in
    try SchemaHandle.with(schema) { schema throws(Refusal) in
      let described = try schema.described(at: place)
      embedded?.pointee = described.isEmbedded
      return schema.text(described.name)
    }
  }
}

@c @implementation public func openrealm_schema_property_count(
  _ schema: OpaquePointer?, _ class_place: Int
) -> Int {
  value(or: 0) { () throws(Refusal) in
    try SchemaHandle.with(schema) { schema throws(Refusal) in
      try schema.described(at: class_place).properties.count
    }
  }
}

@c @implementation public func openrealm_schema_property_at(
  _ schema: OpaquePointer?, _ class_place: Int, _ place: Int,
  _ property: UnsafeMutablePointer<openrealm_property>?
) -> Int32 {
  code { () throws(Refusal) in
    try SchemaHandle.with(schema) { schema throws(Refusal) in
      guard let property else { throw .null }
      let described = try schema.described(at: class_place)
      guard described.properties.indices.contains(place) else {
        throw Refusal(
          .noSuchProperty,
          "Class '\(described.name)' has no property at place \(place), but \(described.properties.count) properties."
        )
      }
      property.initialize(to: openrealm_property(described.properties[place], in: schema))
    }
  }
}

// MARK: Properties

extension DescribedProperty {
  /// The property that C describes.
  fileprivate init(_ property: openrealm_property) throws(Refusal) {
    let name = try checkedText(property.name)
    guard let type = PropertyType(rawValue: Int(property.type)) else {
      throw Refusal(.badArgument, "\(property.type) is no type of a property ('\(name)').")
    }
    let collection: Collection?
    switch property.collection {
    case Int32(OPENREALM_SINGLE): collection = nil
    case Int32(OPENREALM_LIST): collection = .list
    case Int32(OPENREALM_SET): collection = .set
    case Int32(OPENREALM_MAP): collection = .map
    default: throw Refusal(.badArgument, "\(property.collection) is no kind of a property ('\(name)').")
    }
    let known =
      OPENREALM_OPTIONAL | OPENREALM_PRIMARY_KEY_FLAG | OPENREALM_INDEXED | OPENREALM_FULL_TEXT
      | OPENREALM_UNIQUE | OPENREALM_AUTO_INCREMENT
    if property.flags & ~Int32(known) != 0 {
      throw Refusal(
        .badArgument, "The flags \(property.flags) of property '\(name)' have bits without a meaning.")
    }
    func has(_ flag: Int) -> Bool { property.flags & Int32(flag) != 0 }
    let rule: DeleteRule?
    switch property.delete_rule {
    case Int32(OPENREALM_DELETE_NULLIFY): rule = nil
    case Int32(OPENREALM_DELETE_CASCADE): rule = .cascade
    case Int32(OPENREALM_DELETE_DENY): rule = .deny
    case Int32(OPENREALM_DELETE_CASCADE_UNLESS_SHARED): rule = .cascadeUnlessShared
    default: throw Refusal(.badArgument, "\(property.delete_rule) is no delete rule ('\(name)').")
    }
    let isOptional: Bool? =
      switch type {
      // Their own null, always.
      case .any, .linkingObjects: nil
      default: has(Int(OPENREALM_OPTIONAL)) ? true : nil
      }
    self.init(
      name, type, of: try Text.readOptional(property.target), in: collection, optional: isOptional,
      primaryKey: has(Int(OPENREALM_PRIMARY_KEY_FLAG)), indexed: has(Int(OPENREALM_INDEXED)),
      fullText: has(Int(OPENREALM_FULL_TEXT)), originProperty: try Text.readOptional(property.origin),
      columnName: try Text.readOptional(property.column_name),
      autoIncrement: has(Int(OPENREALM_AUTO_INCREMENT)) ? true : nil,
      unique: has(Int(OPENREALM_UNIQUE)) ? true : nil, onDelete: rule)
  }
}

extension openrealm_property {
  /// A described property, with texts that the schema keeps.
  fileprivate init(_ property: DescribedProperty, in schema: SchemaHandle) {
    self.init()
    name = schema.text(property.name)
    if property.columnName != property.name { column_name = schema.text(property.columnName) }
    type = Int32(property.type.rawValue)
    collection =
      switch property.collection {
      case nil: Int32(OPENREALM_SINGLE)
      case .list: Int32(OPENREALM_LIST)
      case .set: Int32(OPENREALM_SET)
      case .map: Int32(OPENREALM_MAP)
      }
    if property.isOptional { flags |= Int32(OPENREALM_OPTIONAL) }
    if property.isPrimaryKey { flags |= Int32(OPENREALM_PRIMARY_KEY_FLAG) }
    if property.isIndexed { flags |= Int32(OPENREALM_INDEXED) }
    if property.isFullText { flags |= Int32(OPENREALM_FULL_TEXT) }
    if property.isUnique == true { flags |= Int32(OPENREALM_UNIQUE) }
    if property.autoIncrement == true { flags |= Int32(OPENREALM_AUTO_INCREMENT) }
    delete_rule =
      switch property.deleteRule {
      case nil, .nullify: Int32(OPENREALM_DELETE_NULLIFY)
      case .cascade: Int32(OPENREALM_DELETE_CASCADE)
      case .deny: Int32(OPENREALM_DELETE_DENY)
      case .cascadeUnlessShared: Int32(OPENREALM_DELETE_CASCADE_UNLESS_SHARED)
      }
    if let name = property.objectClassName { target = schema.text(name) }
    if let name = property.originProperty { origin = schema.text(name) }
  }
}
