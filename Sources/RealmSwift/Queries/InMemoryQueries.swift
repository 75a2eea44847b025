import QueryEngine
import Storage

extension PredicateExpression {
  /// The position of the first element that satisfies the expression.
  ///
  /// - Throws: `PredicateError` when the expression asks for unknown properties.
  func firstIndex(in elements: some Sequence) throws -> Int? {
    for (position, element) in elements.enumerated() where try matches(PredicateSubject(element)) {
      return position
    }
    return nil
  }
}

extension PredicateSubject {
  /// A value of any type that a property or an element can have.
  init(_ value: Any) {
    guard let value = Coercion.unwrap(value) else {
      self = .value(.null)
      return
    }
    switch value {
    case let object as ObjectBase: self = .object(ObjectSubject(object: object))
    case let mixed as AnyRealmValue: self = PredicateSubject(mixed: mixed)
    case let map as any RealmKeyedCollection: self = .entries(Self.entries(of: map))
    case let collection as any RealmCollection: self = .elements(Self.elements(of: collection))
    case let persistable as any _Persistable:
      if let stored = persistable._rlmStoredScalar {
        self = .value(stored)
      } else if let object = persistable._rlmDynamicValue as? ObjectBase {
        // A custom type that is stored as an embedded object.
        self = .object(ObjectSubject(object: object))
      } else {
        self = .value(.null)
      }
    default: self = .value(.null)
    }
  }

  private init(mixed: AnyRealmValue) {
    switch mixed {
    case .object(let object): self = .object(ObjectSubject(object: object))
    case .list(let list): self = .elements(Self.elements(of: list))
    case .dictionary(let map): self = .entries(Self.entries(of: map))
    default: self = .value(mixed._rlmStoredScalar ?? .null)
    }
  }

  private static func elements(of collection: some Sequence) -> [PredicateSubject] {
    collection.map { PredicateSubject($0) }
  }

  private static func entries<Collection: RealmKeyedCollection>(
    of map: Collection
  ) -> [(key: String, value: PredicateSubject)] {
    zip(map.keys, map.values).map { ($0._rlmKeyText, PredicateSubject($1)) }
  }
}

/// An object, managed or not, as predicates in memory see it.
private struct ObjectSubject: PredicateObject {
  let object: ObjectBase

  var predicateClassName: String { object.classSchema.className }

  var predicateLink: StoredValue? {
    object._isManaged && object._isAlive ? .link(table: object._table.number, row: object._row) : nil
  }

  func predicateIsFullText(_ name: String) -> Bool {
    object.classSchema.property(named: name)?.isFullText ?? false
  }

  func predicateSubject(ofProperty name: String) -> PredicateSubject? {
    object.classSchema.property(named: name).map { PredicateSubject($0.typedValue(object)) }
  }
}
