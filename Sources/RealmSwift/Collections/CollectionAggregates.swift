import Foundation
import QueryEngine
public import Storage

extension RealmCollection {
  public func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    AggregateResult.convert(_rlmAggregate(.minimum, property))
  }
  public func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    AggregateResult.convert(_rlmAggregate(.maximum, property))
  }
  public func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType {
    AggregateResult.convertSum(_rlmAggregate(.sum, property))
  }
  public func average<T: _HasPersistedType>(
    ofProperty property: String
  ) -> T? where T.PersistedType: AddableType {
    AggregateResult.convert(_rlmAggregate(.average, property))
  }

  public func _rlmAggregate(_ operation: _Aggregate, _ property: String) -> StoredValue {
    if case .stored(let stored) = _rlmOrigin.kind, Element._rlmIsObject, let target = stored.source.classTable
    {
      stored.checkAccess()
      Aggregation.check(operation, property, target.schema)
      if let index = target.schema.index(of: property), target.columns[index] >= 0 {
        return stored.snapshot.aggregate(
          AggregateOperation(operation), table: target.table.number, column: target.columns[index],
          over: .rows(Array(stored.rows)))
      }
    }
    return Aggregation.compute(operation, property, over: self, name: Self._rlmName)
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The smallest value of a property among the elements, or nil when no element has one.
  public func min<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: MinMaxType {
    min(ofProperty: _name(for: keyPath))
  }
  /// The largest value of a property among the elements, or nil when no element has one.
  public func max<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T?
  where T.PersistedType: MinMaxType {
    max(ofProperty: _name(for: keyPath))
  }
  /// The sum of a property over the elements; 0 when there are none.
  public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T
  where T.PersistedType: AddableType {
    sum(ofProperty: _name(for: keyPath))
  }
  /// The average of a property over the elements that have a value, or nil when none has.
  public func average<T: _HasPersistedType, Result: _HasPersistedType>(
    of keyPath: KeyPath<Element, T>
  ) -> Result? where T.PersistedType: AddableType, Result.PersistedType: AddableType {
    average(ofProperty: _name(for: keyPath))
  }
}

extension RealmCollection where Element.PersistedType: MinMaxType {
  /// The smallest element, or nil when there is none but null.
  public func min() -> Element? { AggregateResult.convert(_rlmAggregate(.minimum, "self")) }
  /// The largest element, or nil when there is none but null.
  public func max() -> Element? { AggregateResult.convert(_rlmAggregate(.maximum, "self")) }
}

extension RealmCollection where Element.PersistedType: AddableType {
  /// The sum of the elements; 0 when there are none.
  public func sum() -> Element { AggregateResult.convertSum(_rlmAggregate(.sum, "self")) }
  /// The average of the elements that are not null, or nil when there are none.
  public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType {
    AggregateResult.convert(_rlmAggregate(.average, "self"))
  }
}

/// Aggregates over elements one by one.
enum Aggregation {
  /// The aggregate over all elements of a sequence; objects by a property of theirs, values as "self".
  static func compute<Elements: Sequence>(
    _ operation: _Aggregate, _ property: String, over elements: Elements, name: String
  ) -> StoredValue where Elements.Element: RealmCollectionValue {
    typealias Element = Elements.Element
    let kind = Element._rlmKind
    guard kind.type == .object, let objectType = kind.objectType else {
      if property != "self" {
        trap("\(pluralName(name)) of '\(kind.type.name)' can only be aggregated on \"self\"")
      }
      check(operation, kind.type) {
        "Operation '\(operation.name)' not supported for \(kind.type.name)\(kind.isOptional ? "?" : "") \(singularName(name))"
      }
      var aggregate = ValueAggregate(AggregateOperation(operation), kind.type.valueType ?? .mixed)
      for element in elements { aggregate.add(storedValue(element)) }
      return aggregate.result
    }
    let found = check(operation, property, ClassSchema.of(objectType))
    var aggregate = ValueAggregate(AggregateOperation(operation), found.kind.type.valueType ?? .mixed)
    for element in elements {
      guard let object = element._rlmObject else { continue }
      aggregate.add(found.storedScalar(of: object))
    }
    return aggregate.result
  }

  /// A property of objects. Stops the program when there is none, or none that has the aggregate.
  @discardableResult
  static func check(
    _ operation: _Aggregate, _ property: String, _ schema: ClassSchema
  ) -> ClassProperty {
    guard let found = schema.property(named: property) else {
      trap("Property '\(property)' not found in object of type '\(schema.className)'")
    }
    check(operation, found.kind.collection == .none ? found.kind.type : .object) {
      "Operation '\(operation.name)' not supported for \(found.kind.aggregateName) '\(schema.className).\(property)'"
    }
    return found
  }

  /// The stored form of a value that is no link.
  private static func storedValue<Element: RealmCollectionValue>(_ element: Element) -> StoredValue {
    (element as? any _Persistable)?._rlmStoredScalar ?? .null
  }

  private static func check(_ operation: _Aggregate, _ type: PropertyType, _ message: () -> String) {
    switch type {
    case .int, .float, .double, .decimal128, .any: return
    case .date where operation == .minimum || operation == .maximum: return
    default: trap(message())
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

/// Results of aggregates as Swift values.
enum AggregateResult {
  /// Null becomes nil.
  static func convert<T>(_ value: StoredValue) -> T? {
    guard let any = any(value) else { return nil }
    return convert(any, value)
  }

  /// Null becomes the type's zero.
  static func convertSum<T>(_ value: StoredValue) -> T {
    let value = value.isNull ? .int(0) : value
    guard let result: T = convert(any(value)!, value) else {
      trap("Could not convert value '\(any(value)!)' to type '\(T.self)'.")
    }
    return result
  }

  static func any(_ value: StoredValue) -> Any? {
    switch value {
    case .int(let number): Int(number)
    case .float(let number): number
    case .double(let number): number
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .decimal128: Decimal128(_rlm: value)
    case .string(let text): text
    case .bool(let flag): flag
    case .data(let bytes): Data(bytes)
    case .objectId: ObjectId(_rlm: value)
    case .uuid: UUID(_rlm: value)
    case .null, .link, .list, .dictionary: nil
    }
  }

  private static func convert<T>(_ any: Any, _ value: StoredValue) -> T? {
    if let exact = any as? T { return exact }
    if T.self == NSNumber.self || T.self == NSNumber?.self { return number(any) as? T }
    if T.self == NSDate.self || T.self == NSDate?.self { return (any as? Date).map { $0 as NSDate } as? T }
    guard let type = T.self as? any _Persistable.Type else { return nil }
    return coerce(any, value, type) as? T
  }

  private static func coerce<P: _Persistable>(_ any: Any, _ value: StoredValue, _: P.Type) -> P? {
    if let converted = P._rlmCoerce(any) { return converted }
    // Numbers may be asked for in any type.
    let kind = P._rlmKind.type
    switch (kind, value) {
    case (.int, .double(let number)): return coerce(whole: number)
    case (.int, .float(let number)): return coerce(whole: Double(number))
    case (.int, .decimal128): return coerce(whole: (any as? Decimal128)?.doubleValue ?? 0)
    case (.float, .double(let number)): return P._rlmCoerce(Float(number))
    case (.float, .decimal128): return (any as? Decimal128).flatMap { P._rlmCoerce(Float($0.doubleValue)) }
    case (.double, .decimal128): return (any as? Decimal128).flatMap { P._rlmCoerce($0.doubleValue) }
    default: return nil
    }
  }

  private static func coerce<P: _Persistable>(whole number: Double) -> P? {
    Int(exactly: number.rounded(.towardZero)).flatMap { P._rlmCoerce($0) }
  }

  private static func number(_ any: Any) -> NSNumber? {
    switch any {
    case let number as Int: NSNumber(value: number)
    case let number as Double: NSNumber(value: number)
    case let number as Float: NSNumber(value: number)
    case let number as Decimal128: NSNumber(value: number.doubleValue)
    default: nil
    }
  }
}
