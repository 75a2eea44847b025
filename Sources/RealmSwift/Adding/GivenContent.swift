import Foundation
import Storage

/// A value that `create` is given, with everything in it that is live in the realm read before the first property is written:
/// embedded objects and collections of the object that is updated may come back in another place.
///
/// Most values hold nothing live, which is found out first, without copying anything.
struct GivenContent {
  private let realm: RealmCore
  /// The objects in memory that hold something live, as dictionaries.
  private(set) var replacements: [ObjectCreation.CopyKey: ObjectSource] = [:]
  /// Objects in memory that the value leads to.
  private var found: [(object: ObjectBase, target: ClassTable)] = []
  private var seen: Set<ObjectCreation.CopyKey> = []

  /// Reads what is live in a value. Returns the value that is to be used in its place.
  static func read(
    _ source: ObjectSource, _ target: ClassTable
  ) -> (source: ObjectSource, replacements: [ObjectCreation.CopyKey: ObjectSource]) {
    var search = LiveContentSearch(realm: target.realm)
    if !search.finds(in: source, target) { return (source, [:]) }
    var content = GivenContent(target.realm)
    let result = content.copy(source, target)
    var next = 0
    while next < content.found.count {
      let (object, target) = content.found[next]
      next += 1
      var search = LiveContentSearch(realm: target.realm)
      guard search.finds(in: .object(object), target) else { continue }
      let values = content.properties(of: .object(object), target)
      content.replacements[ObjectCreation.CopyKey(object, target)] = .dictionary(content.converted(values))
    }
    return (result, content.replacements)
  }

  private init(_ realm: RealmCore) { self.realm = realm }

  // MARK: Copying

  /// A value and what it is meant to be.
  private struct Given {
    enum Shape {
      case object(ClassTable)
      case property(ClassProperty, ClassTable)
      case mixed
      case finished
    }

    let value: Any
    let shape: Shape
  }

  private mutating func copy(_ source: ObjectSource, _ target: ClassTable) -> ObjectSource {
    switch source {
    case .object(let object) where note(object, target): return source
    case .object, .dictionary, .array: return .dictionary(converted(properties(of: source, target)))
    }
  }

  /// The values of all properties that a source says something about.
  private func properties(of source: ObjectSource, _ target: ClassTable) -> [(key: String, value: Given)] {
    let schema = target.schema
    return schema.properties.indices.compactMap { index in
      let property = schema.properties[index]
      guard let value = source.value(index, of: schema) else { return nil }
      let isCompound = target.compoundProperties.contains(index)
      let shape = isCompound ? Given.Shape.property(property, target) : .finished
      return (property.name, Given(value: value, shape: shape))
    }
  }

  private mutating func converted(_ values: [(key: String, value: Given)]) -> [String: Any] {
    var result: [String: Any] = [:]
    for (key, given) in values {
      let converted = NestedConversion<Given, Any>.convert(
        given, list: { $0 }, dictionary: { Self.dictionary($0) }, content: { given, _ in content(of: given) })
      result[key] = converted
    }
    return result
  }

  private static func dictionary(_ entries: [(key: String, value: Any)]) -> Any {
    let dictionary = Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    return dictionary.count == entries.count ? dictionary : GivenEntries(all: entries)
  }

  private mutating func content(of given: Given) -> NestedConversion<Given, Any>.Content {
    switch given.shape {
    case .finished: return .single(given.value)
    case .mixed: return mixedContent(of: given.value)
    case .object(let target): return objectContent(of: given.value, target)
    case .property(let property, let owner):
      switch property.kind.collection {
      case .none where property.kind.type == .object:
        return objectContent(of: given.value, owner.linkTarget(of: property))
      case .none: return mixedContent(of: given.value)
      case .list, .set, .map: return collectionContent(of: given.value, property, owner)
      }
    }
  }

  private mutating func objectContent(
    of value: Any, _ target: ClassTable
  ) -> NestedConversion<Given, Any>.Content {
    guard let value = Coercion.unwrap(value), let source = ObjectSource(value) else { return .single(value) }
    if case .object(let object) = source, note(object, target) { return .single(object) }
    if case .array(let values) = source, values.count > target.schema.properties.count {
      return .single(value)
    }
    return .dictionary(properties(of: source, target))
  }

  /// Whether an object stays what it is, rather than to be copied as it is now.
  private mutating func note(_ object: ObjectBase, _ target: ClassTable) -> Bool {
    if object._isManaged { return !object.isLiveContent(of: realm) || !object._isAlive }
    if seen.insert(ObjectCreation.CopyKey(object, target)).inserted { found.append((object, target)) }
    return true
  }

  private func collectionContent(
    of value: Any, _ property: ClassProperty, _ owner: ClassTable
  ) -> NestedConversion<Given, Any>.Content {
    // What does not fit is refused when it is written.
    if ValueError.collectionMismatch(value, property.kind, "") != nil { return .single(value) }
    let shape: Given.Shape =
      switch property.kind.type {
      case .object: .object(owner.linkTarget(of: property))
      case .any: .mixed
      default: .finished
      }
    if property.kind.collection == .map {
      guard let entries = Enumeration.entries(value) else { return .single(value) }
      return .dictionary(entries.map { ($0.key, Given(value: $0.value, shape: shape)) })
    }
    guard let elements = Enumeration.elements(value) else { return .single(value) }
    return .list(elements.map { Given(value: $0, shape: shape) })
  }

  private mutating func mixedContent(of value: Any) -> NestedConversion<Given, Any>.Content {
    guard var inner = Coercion.unwrap(value) else { return .single(value) }
    if let mixed = inner as? AnyRealmValue { inner = mixed.payload ?? inner }
    if let object = Coercion.object(inner) {
      if !object._isManaged { _ = note(object, realm.classTable(of: object)) }
      return .single(value)
    }
    if Coercion.natural(inner) != nil { return .single(value) }
    if let entries = Enumeration.entries(inner) {
      return .dictionary(entries.map { ($0.key, Given(value: $0.value, shape: .mixed)) })
    }
    if Enumeration.isSet(inner) { return .single(value) }
    return Enumeration.elements(inner).map { .list($0.map { Given(value: $0, shape: .mixed) }) }
      ?? .single(value)
  }
}

/// The entries of a map some of whose keys are equal in Swift, and different in the file.
private struct GivenEntries: DictionaryValue {
  let all: [(key: String, value: Any)]
  var stringEntries: [(key: String, value: Any)]? { all }
}
