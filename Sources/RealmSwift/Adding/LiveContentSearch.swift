import Foundation
import Storage

/// Looks through a value, in a loop, for something that shows what is in the realm now.
struct LiveContentSearch {
  let realm: RealmCore
  private var waiting: [(source: ObjectSource, target: ClassTable)] = []
  private var seen: Set<ObjectIdentifier> = []

  init(realm: RealmCore) { self.realm = realm }

  mutating func finds(in source: ObjectSource, _ target: ClassTable) -> Bool {
    waiting = [(source, target)]
    while let (source, target) = waiting.popLast() {
      if case .object(let object) = source {
        if object._isManaged {
          if object.isLiveContent(of: realm) { return true }
          continue
        }
        if !seen.insert(ObjectIdentifier(object)).inserted { continue }
      }
      for index in target.compoundProperties {
        guard let value = source.value(index, of: target.schema) else { continue }
        if isLive(value, target.schema.properties[index], target) { return true }
      }
    }
    return false
  }

  private mutating func isLive(_ value: Any, _ property: ClassProperty, _ owner: ClassTable) -> Bool {
    guard let value = Coercion.unwrap(value) else { return false }
    switch property.kind.collection {
    case .none where property.kind.type == .object: return isLiveObject(value, owner.linkTarget(of: property))
    case .none: return isLiveMixed(value)
    case .list, .set, .map:
      if LiveCollection.isOne(value) { return true }
      if property.kind.type != .object && property.kind.type != .any { return false }
      let target = property.kind.type == .object ? owner.linkTarget(of: property) : nil
      if property.kind.collection == .map {
        return Enumeration.entries(value)?.contains { isLiveElement($0.value, target) } ?? false
      }
      return Enumeration.elements(value)?.contains { isLiveElement($0, target) } ?? false
    }
  }

  private mutating func isLiveElement(_ value: Any, _ target: ClassTable?) -> Bool {
    guard let value = Coercion.unwrap(value) else { return false }
    return target.map { isLiveObject(value, $0) } ?? isLiveMixed(value)
  }

  private mutating func isLiveObject(_ value: Any, _ target: ClassTable) -> Bool {
    if let object = Coercion.object(value), object._isManaged { return object.isLiveContent(of: realm) }
    if target.compoundProperties.isEmpty { return false }
    if let source = ObjectSource(value) { waiting.append((source, target)) }
    return false
  }

  private mutating func isLiveMixed(_ value: Any) -> Bool {
    var rest = [value]
    while let value = rest.popLast() {
      guard var inner = Coercion.unwrap(value) else { continue }
      if let mixed = inner as? AnyRealmValue { inner = mixed.payload ?? inner }
      if let object = Coercion.object(inner) {
        if !object._isManaged { waiting.append((.object(object), realm.classTable(of: object))) }
        continue
      }
      if Coercion.natural(inner) != nil { continue }
      if LiveCollection.isOne(inner) { return true }
      if let entries = Enumeration.entries(inner) {
        rest += entries.map(\.value)
      } else {
        rest += Enumeration.elements(inner) ?? []
      }
    }
    return false
  }
}

/// Sequences that are read from a realm when they are walked.
private enum LiveCollection {
  static func isOne(_ value: Any) -> Bool {
    if type(of: value) == [Any].self || Coercion.isDictionary(value) { return false }
    if let collection = value as? any RealmCollection { return collection._rlmOrigin.isLive }
    if let map = value as? any RealmKeyedCollection { return map._rlmOrigin.isLive }
    return value is any LazySequenceProtocol || value is any ProjectedSequence
  }
}

/// A `ProjectedCollection` of any type.
private protocol ProjectedSequence {}

extension ProjectedCollection: ProjectedSequence {}

extension _CollectionOrigin {
  fileprivate var isLive: Bool {
    if case .unmanaged = kind { return false }
    return true
  }
}

extension ObjectBase {
  /// Whether a managed object is an embedded one of a realm, which is copied where it is given as a value.
  func isLiveContent(of realm: RealmCore) -> Bool {
    _realm === realm && realm.snapshot.catalogue.tables[_table.number].isEmbedded
  }
}
