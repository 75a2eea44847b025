import Foundation
import Storage

/// Fills objects in memory from values, as `init(value:)` does.
enum ObjectPopulation {
  /// Sets the properties of an unmanaged object that the value has something to say about.
  ///
  /// Objects that the value holds are linked as they are, managed ones too. Stops the program when a value does not
  /// fit.
  static func populate(_ object: ObjectBase, from value: Any) {
    Depth.current.startingAnew { fill(object, from: value) }
  }

  /// Fills an object that may belong to another one which is being filled, and may then get its values at the end.
  private static func fill(_ object: ObjectBase, from value: Any) {
    let depth = Depth.current
    if depth.count == Depth.limit {
      depth.waiting.append((object, value))
      return
    }
    depth.enter { assignAll(object, from: value) }
    var next = 0
    while depth.count == 0 && next < depth.waiting.count {
      let (object, value) = depth.waiting[next]
      depth.enter { assignAll(object, from: value) }
      next += 1
    }
    if depth.count == 0 { depth.waiting = [] }
  }

  private static func assignAll(_ object: ObjectBase, from value: Any) {
    let schema = object.classSchema
    let source = ObjectSource.required(value, for: schema)
    for index in schema.properties.indices {
      guard let value = source.value(index, of: schema) else { continue }
      assign(object, schema.properties[index], value, schema)
    }
  }

  /// How deep in each other objects are being filled, and those that were reached too deep: values of any depth can be
  /// given on any stack.
  final class Depth {
    fileprivate static let limit = 32
    fileprivate var count = 0
    fileprivate var waiting: [(object: ObjectBase, value: Any)] = []

    private static let all = ThreadLocal { Depth() }
    static var current: Depth { all.value }

    fileprivate func enter(_ body: () -> Void) {
      count += 1
      body()
      count -= 1
    }

    /// Runs a body whose objects have their values when it returns, also within others that wait for theirs.
    func startingAnew<Result>(_ body: () -> Result) -> Result {
      let outer = (count, waiting)
      (count, waiting) = (0, [])
      defer { (count, waiting) = outer }
      return body()
    }
  }

  /// An object for a link: one of exactly that class as it is, a new unmanaged one for a dictionary or an array, or
  /// for an object of another class that has all the properties. Nil for all other values.
  static func object<T: ObjectBase>(_ type: T.Type, from value: Any) -> T? {
    guard let value = Coercion.unwrap(value) else { return nil }
    if let object = Coercion.object(value) {
      if Swift.type(of: object) == type { return unsafeDowncast(object, to: type) }
      let (wanted, given) = (ClassSchema.of(type), object.classSchema)
      guard wanted.properties.allSatisfy({ given.property(named: $0.name) != nil }) else { return nil }
    } else if ObjectSource(value) == nil {
      return nil
    }
    let object = type.init()
    fill(object, from: value)
    return object
  }

  /// Sets one property of a managed or unmanaged object. Stops the program when the value does not fit.
  static func assign(_ object: ObjectBase, _ property: ClassProperty, _ value: Any, _ schema: ClassSchema) {
    if property.kind.collection != .none {
      let place = "'\(schema.className).\(property.name)'"
      if let mismatch = ValueError.collectionMismatch(value, property.kind, place) { trap(mismatch) }
      // Null empties a collection.
      if Coercion.unwrap(value) == nil {
        let nothing: Any = property.kind.collection == .map ? [String: Any]() : [Any]()
        _ = property.assign(object, nothing)
        return
      }
    }
    if let linked = Coercion.instance(value, of: DynamicObject.self), object.setLink(property, to: linked) {
      return
    }
    if !property.assign(object, value) { trap(ValueError.invalid(value, property, schema)) }
  }
}

extension ObjectBase {
  /// Points a link, whose Swift type is a class of the program, to a dynamic object for a row of that class. Returns false
  /// for everything else.
  fileprivate func setLink(_ property: ClassProperty, to linked: DynamicObject) -> Bool {
    guard property.kind.type == .object, property.kind.collection == .none, property.column == nil,
      let realm = _realm, linked._realm === realm, linked._isAlive
    else { return false }
    _checkWrite()
    let classTable = realm.classTable(number: _table.number)
    guard let index = classTable.schema.index(of: property.name), classTable.columns[index] >= 0 else {
      return false
    }
    let target = realm.linkTarget(_table, classTable.columns[index])
    if target.isEmbedded || linked._state != target.table.state { return false }
    _table.setLink(classTable.columns[index], _row, linked._row)
    return true
  }
}
