import QueryEngine
import Storage

/// Aggregates over elements one by one.
enum Aggregation {
  /// The aggregate over all elements of a sequence; objects by a property of theirs, values as "self".
  ///
  /// - Parameter orStored: The elements of a collection that may have stored what there is no element for.
  static func compute<Elements: Sequence>(
    _ operation: _Aggregate, _ property: String, over elements: @autoclosure () -> Elements,
    orStored: [Any]?, name: String
  ) -> StoredValue where Elements.Element: RealmCollectionValue {
    typealias Element = Elements.Element
    let kind = Element._rlmKind
    guard kind.type == .object, let objectType = kind.objectType else {
      stopping { () throws(ProgrammerError) in try checkValues(operation, property, kind, name: name) }
      var aggregate = ValueAggregate(AggregateOperation(operation), kind.type.valueType ?? .mixed)
      if let orStored {
        for value in orStored { aggregate.add(Element.scalar(of: value)) }
      } else {
        for element in elements() { aggregate.add(Element.scalar(of: element)) }
      }
      return aggregate.reported
    }
    let found = check(operation, property, ClassSchema.of(objectType))
    var aggregate = ValueAggregate(AggregateOperation(operation), found.kind.type.valueType ?? .mixed)
    for element in elements() {
      guard let object = element._rlmObject else { continue }
      aggregate.add(found.storedScalar(of: object))
    }
    return aggregate.reported
  }

  /// A property of objects. Stops the program when there is none, or none that has the aggregate.
  @discardableResult
  static func check(
    _ operation: _Aggregate, _ property: String, _ schema: ClassSchema
  ) -> ClassProperty {
    stopping { () throws(ProgrammerError) in try checked(operation, property, schema) }
  }

  /// A property of objects.
  ///
  /// - Throws: When there is none, or none that has the aggregate.
  static func checked(
    _ operation: _Aggregate, _ property: String, _ schema: ClassSchema
  ) throws(ProgrammerError) -> ClassProperty {
    guard let found = schema.property(named: property) else {
      throw .unknownProperty(property, className: schema.className)
    }
    if !isSupported(operation, found.kind.collection == .none ? found.kind.type : .object) {
      throw .unsupportedAggregate(
        "Operation '\(operation.name)' not supported for \(found.kind.aggregateName) '\(schema.className).\(property)'"
      )
    }
    return found
  }

  /// Throws when a collection of values does not have the aggregate.
  ///
  /// - Parameter name: The Swift type of the collection, such as "List".
  static func checkValues(
    _ operation: _Aggregate, _ property: String, _ kind: _PropertyKind, name: String
  ) throws(ProgrammerError) {
    if property != "self" {
      throw .unsupportedAggregate(
        "\(pluralName(name)) of '\(kind.type.name)' can only be aggregated on \"self\"")
    }
    if !isSupported(operation, kind.type) {
      throw .unsupportedAggregate(
        "Operation '\(operation.name)' not supported for \(kind.type.name)\(kind.isOptional ? "?" : "") \(singularName(name))"
      )
    }
  }

  private static func isSupported(_ operation: _Aggregate, _ type: PropertyType) -> Bool {
    switch type {
    case .int, .float, .double, .decimal128, .any: true
    case .date: operation == .minimum || operation == .maximum
    default: false
    }
  }

  private static func pluralName(_ name: String) -> String {
    switch name {
    case "MutableSet": "Sets"
    case "Map": "Dictionaries"
    default: "Arrays"
    }
  }

  private static func singularName(_ name: String) -> String {
    switch name {
    case "MutableSet": "set"
    case "Map": "dictionary"
    case "List": "list"
    default: "property"
    }
  }
}

extension RealmCollectionValue {
  /// The stored form of an element that is no link, or of an `UnconvertedValue`.
  fileprivate static func scalar(of value: Any) -> StoredValue {
    if let unconverted = UnconvertedValue.exact(value) { return unconverted.scalar(_rlmKind) ?? .null }
    return (value as? any _Persistable)?._rlmStoredScalar ?? .null
  }
}

extension AggregateOperation {
  init(_ operation: _Aggregate) {
    switch operation {
    case .minimum: self = .minimum
    case .maximum: self = .maximum
    case .sum: self = .sum
    case .average: self = .average
    }
  }
}

extension _Aggregate {
  /// The operation's name in messages.
  var name: String {
    switch self {
    case .minimum: "min"
    case .maximum: "max"
    case .sum: "sum"
    case .average: "average"
    }
  }
}

extension _PropertyKind {
  fileprivate var aggregateName: String {
    let type = type.name + (isOptional ? "?" : "")
    return switch collection {
    case .none: type + " property"
    case .list: type + " list"
    case .set: type + " set"
    case .map: type + " dictionary"
    }
  }
}

extension ClassProperty {
  /// The value of an object's property as it is, or would be, stored.
  fileprivate func storedScalar(of object: ObjectBase) -> StoredValue {
    if !object._isManaged { return storedScalar(object) ?? .null }
    object._checkAccess()
    let classTable = object._realm.unsafelyUnwrapped.classTable(number: object._table.number)
    guard let index = classTable.schema.index(of: name), classTable.columns[index] >= 0 else { return .null }
    return object._table.value(classTable.columns[index], object._row)
  }
}
