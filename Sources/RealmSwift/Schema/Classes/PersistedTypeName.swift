import Foundation
import SwiftRuntime

/// The `Persisted` types that are found by the names which the compiler gives them in the records of a class.
///
/// For each type that it has not met the runtime looks through the conformances of all libraries, which takes 0.1 ms, and
/// it does so several times for each type of property: that would be most of the time in which a program opens its first
/// file. Here the conformances are known to the compiler. The runtime is left with enums, custom types, `AnyRealmValue`,
/// `LinkingObjects` and what depends on a generic class's parameters.
enum PersistedTypeName {
  private typealias Wrapped = _PersistableInsideOptional & _RealmCollectionValueInsideOptional

  /// What a name says of the type of a property.
  enum Found {
    /// It is no `Persisted`.
    case other
    case known(any AnyPersisted.Type)
    /// The runtime has to be asked.
    case unknown
  }

  static func type(_ name: MangledTypeName) -> Found {
    var name = name
    guard let persisted = descriptors.persisted else { return .unknown }
    if name.isText { return .other }
    guard let descriptor = name.takeDescriptor() else { return .unknown }
    guard descriptor == persisted else { return .other }
    guard name.take("y"), let type = property(&name), name.take("G"), name.isAtEnd else { return .unknown }
    return .known(type)
  }

  /// The type of a property whose values have the type that stands next: an element, and `Sg` for an optional one; or the
  /// reference to a collection, `y`, `SS` for the keys of a map, an element, perhaps `Sg`, and `G`. Elements are letters or a
  /// reference.
  private static func property(_ name: inout MangledTypeName) -> (any AnyPersisted.Type)? {
    var element = lettered(&name)
    if element == nil {
      guard let descriptor = name.takeDescriptor() else { return nil }
      if name.take("y") { return collection(descriptor, &name) }
      element = type(described: descriptor)
    }
    guard let element else { return nil }
    return name.take("Sg") ? optional(element) : persisted(element)
  }

  private static func collection(
    _ descriptor: UnsafeRawPointer, _ name: inout MangledTypeName
  ) -> (any AnyPersisted.Type)? {
    var found: (any Wrapped.Type)?
    // Two strings are written so.
    if descriptor == descriptors.map, name.take("S2S") {
      found = String.self
    } else if descriptor != descriptors.map || name.take("SS") {
      found = lettered(&name) ?? name.takeDescriptor().flatMap { type(described: $0) }
    }
    guard let element = found else { return nil }
    let isOptional = name.take("Sg")
    guard name.take("G") else { return nil }
    switch descriptor {
    case descriptors.list: return isOptional ? optionalList(element) : list(element)
    case descriptors.set: return isOptional ? optionalSet(element) : set(element)
    case descriptors.map: return isOptional ? optionalMap(element) : map(element)
    default: return nil
    }
  }

  /// A type with a letter of its own.
  private static func lettered(_ name: inout MangledTypeName) -> (any Wrapped.Type)? {
    for (text, type) in letteredTypes where name.take(text) { return type }
    return nil
  }

  private static func type(described descriptor: UnsafeRawPointer) -> (any Wrapped.Type)? {
    if let known = descriptors.types.first(where: { $0.descriptor == descriptor }) { return known.type }
    switch TypeDescriptor.plainClass(descriptor) {
    case let type as Object.Type: return type
    case let type as EmbeddedObject.Type: return type
    default: return nil
    }
  }

  // Never changed.
  nonisolated(unsafe) private static let letteredTypes: [(name: StaticString, type: any Wrapped.Type)] = [
    ("Si", Int.self), ("SS", String.self), ("Sb", Bool.self), ("Sd", Double.self), ("Sf", Float.self),
  ]

  /// Made of types that are only known while the program runs, for which the runtime does not look either.
  private struct Descriptors {
    let persisted, list, set, map: UnsafeRawPointer?
    let types: [(descriptor: UnsafeRawPointer?, type: any Wrapped.Type)]

    init() {
      let element = letteredTypes[0].type
      persisted = TypeDescriptor.address(of: PersistedTypeName.persisted(element))
      (list, set, map) = (Self.list(element), Self.set(element), Self.map(element))
      let others: [any Wrapped.Type] = [
        Date.self, Data.self, UUID.self, ObjectId.self, Decimal128.self, Int8.self, Int16.self, Int32.self,
        Int64.self,
      ]
      types = others.map { (TypeDescriptor.address(of: $0), $0) }
    }

    private static func list<Element: RealmCollectionValue>(_: Element.Type) -> UnsafeRawPointer? {
      TypeDescriptor.address(of: List<Element>.self)
    }
    private static func set<Element: RealmCollectionValue>(_: Element.Type) -> UnsafeRawPointer? {
      TypeDescriptor.address(of: MutableSet<Element>.self)
    }
    private static func map<Element: RealmCollectionValue>(_: Element.Type) -> UnsafeRawPointer? {
      TypeDescriptor.address(of: Map<String, Element>.self)
    }
  }

  // Addresses and types, which never change.
  nonisolated(unsafe) private static let descriptors = Descriptors()
}

// What is made of a type.
extension PersistedTypeName {
  private static func persisted<Value: _Persistable>(_: Value.Type) -> any AnyPersisted.Type {
    Persisted<Value>.self
  }
  private static func optional<Value: _PersistableInsideOptional>(_: Value.Type) -> any AnyPersisted.Type {
    persisted(Value?.self)
  }
  private static func list<Element: RealmCollectionValue>(_: Element.Type) -> any AnyPersisted.Type {
    persisted(List<Element>.self)
  }
  private static func optionalList<Element: Wrapped>(_: Element.Type) -> any AnyPersisted.Type {
    list(Element?.self)
  }
  private static func set<Element: RealmCollectionValue>(_: Element.Type) -> any AnyPersisted.Type {
    persisted(MutableSet<Element>.self)
  }
  private static func optionalSet<Element: Wrapped>(_: Element.Type) -> any AnyPersisted.Type {
    set(Element?.self)
  }
  private static func map<Element: RealmCollectionValue>(_: Element.Type) -> any AnyPersisted.Type {
    persisted(Map<String, Element>.self)
  }
  private static func optionalMap<Element: Wrapped>(_: Element.Type) -> any AnyPersisted.Type {
    map(Element?.self)
  }
}
