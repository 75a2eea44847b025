import Storage

/// The bits of `Persisted.attributes`: what a property is besides its type. The file has the same in its catalogue
/// (`Column`).
///
/// Rules that came after the official SDK's stay what they are in the file where a class does not mention them, so that a
/// program which does not know of them takes none away: they have bits for being mentioned, too.
@usableFromInline enum PersistedAttributes {
  @usableFromInline static let indexed: UInt16 = 1
  @usableFromInline static let primaryKey: UInt16 = 2
  @usableFromInline static let fullText: UInt16 = 4
  @usableFromInline static let autoIncrement: UInt16 = 8
  /// `autoIncrement` is mentioned.
  @usableFromInline static let choosesIncrement: UInt16 = 16
  /// Three bits: 0 when no delete rule is mentioned, else one more than the rule.
  @usableFromInline static let deleteRuleUnit: UInt16 = 32
  private static let deleteRuleMask: UInt16 = 7
  @usableFromInline static let unique: UInt16 = 256
  /// `unique` is mentioned.
  @usableFromInline static let choosesUnique: UInt16 = 512

  static func deleteRule(_ attributes: UInt16) -> LinkRule? {
    let bits = attributes / deleteRuleUnit & deleteRuleMask
    return bits == 0 ? nil : LinkRule(rawValue: UInt8(bits - 1))
  }
}

extension Persisted where Value.PersistedType: _PrimaryKey {
  /// A primary key that the file numbers: an object without one gets it when it is added or created. An addition to the
  /// official SDK.
  ///
  ///     @Persisted(primaryKey: true, autoIncrement: true) var number: Int  // given by the file, each once
  ///
  /// The property must be an integer of any width, optional or not; 0 and nil stand for no number. The first number is 1,
  /// and none is given twice: not by another process, nor after its object was deleted. Numbers of a transaction that
  /// was rolled back are given to others. A number that the program sets itself is kept, and the following ones are higher.
  /// When the type has no more numbers, the commit throws `Realm.Error.ruleBroken`.
  ///
  /// Adding or taking away the mark needs no new schema version. Where a class does not mention `autoIncrement`, that
  /// of the file holds; `autoIncrement: false` ends it.
  @inlinable public init(primaryKey: Bool, autoIncrement: Bool) {
    self.init(primaryKey: primaryKey)
    attributes |= PersistedAttributes.choosesIncrement
    if autoIncrement { attributes |= PersistedAttributes.autoIncrement }
  }

  /// A primary key with a default value, which the file numbers where it is 0 or nil.
  @inlinable public init(wrappedValue: Value, primaryKey: Bool, autoIncrement: Bool) {
    self.init(primaryKey: primaryKey, autoIncrement: autoIncrement)
    value = wrappedValue
  }
}

extension Persisted {
  /// A link, or a collection of them, that says what a deletion means for the objects at its ends. An addition to the
  /// official SDK.
  ///
  ///     @Persisted(onDelete: .cascade) var items: List<OrderItem>  // deleted with the order
  ///     @Persisted(onDelete: .deny) var customer: Customer?  // not deleted as long as it has orders
  ///
  /// For links, lists, sets and maps of objects, and for mixed values, also in embedded objects; objects that are embedded
  /// themselves need no rule. See ``DeleteRule``.
  ///
  /// The file keeps the rule, for all programs that write to it. Changing it needs no new schema version. Where a class does
  /// not mention a rule, that of the file holds; `.nullify` ends it.
  @inlinable public init(onDelete rule: DeleteRule) {
    value = nil
    attributes = rule.attribute
  }

  /// A property with a default value, and a rule for deletions.
  @inlinable public init(wrappedValue: Value, onDelete rule: DeleteRule) {
    value = wrappedValue
    attributes = rule.attribute
  }
}

extension Persisted where Value.PersistedType: _Indexable {
  /// A property of which no two objects have the same value, but for nil. An addition to the official SDK.
  ///
  ///     @Persisted(unique: true) var reference: String?
  ///
  /// The rule must hold at the end of each write transaction, so that two objects can exchange their values. A transaction
  /// that breaks it is rolled back: its commit throws `Realm.Error.ruleBroken`, which names the class, the value and the
  /// objects. Opening a realm whose objects break a new rule throws it, too, and changes nothing.
  ///
  /// Queries look the property up as they do with an index. For mixed values there is no such rule. Adding or taking away the
  /// mark needs no new schema version. Where a class does not mention `unique`, that of the file holds; `unique: false` ends it.
  @inlinable public init(unique: Bool) {
    value = nil
    attributes = PersistedAttributes.choosesUnique | (unique ? PersistedAttributes.unique : 0)
  }

  /// A property with a default value, of which no two objects have the same value, but for nil.
  @inlinable public init(wrappedValue: Value, unique: Bool) {
    value = wrappedValue
    attributes = PersistedAttributes.choosesUnique | (unique ? PersistedAttributes.unique : 0)
  }
}
