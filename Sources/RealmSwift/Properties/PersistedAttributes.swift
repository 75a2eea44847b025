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
  @usableFromInline static let counter: UInt16 = 1024

  static func deleteRule(_ attributes: UInt16) -> LinkRule? {
    let bits = attributes / deleteRuleUnit & deleteRuleMask
    return bits == 0 ? nil : LinkRule(rawValue: UInt8(bits - 1))
  }
}

extension Persisted where Value: _Persistable, Value.PersistedType: _PrimaryKey {
  /// Declares a primary key that the file numbers: an object without a number gets one when it is added or
  /// created. An addition to the official SDK.
  ///
  /// ```swift
  /// @Persisted(primaryKey: true, autoIncrement: true) var number: Int  // given by the file, each once
  /// ```
  ///
  /// The property must be an integer of any width, optional or not; 0 and nil stand for no number. Numbers
  /// begin with 1, and no number is assigned twice: not by another process, nor after its object was deleted.
  /// Numbers of a transaction that was rolled back are assigned again. A number that the program sets itself
  /// is kept, and the following numbers are higher. When the type has no more numbers, the commit throws
  /// `Realm.Error.ruleBroken`.
  ///
  /// Adding or removing the attribute needs no new schema version. If a class does not mention
  /// `autoIncrement`, the setting of the file applies; `autoIncrement: false` ends it.
  @inlinable public init(primaryKey: Bool, autoIncrement: Bool) {
    self.init(primaryKey: primaryKey)
    attributes |= PersistedAttributes.choosesIncrement
    if autoIncrement { attributes |= PersistedAttributes.autoIncrement }
  }

  /// Declares a primary key with a default value, which the file numbers if it is 0 or nil.
  @inlinable public init(wrappedValue: Value, primaryKey: Bool, autoIncrement: Bool) {
    self.init(primaryKey: primaryKey, autoIncrement: autoIncrement)
    value = wrappedValue
  }
}

extension Persisted where Value: _Persistable {
  /// Declares a link, or a collection of links, with a rule for deletions. An addition to the official SDK.
  ///
  /// ```swift
  /// @Persisted(onDelete: .cascade) var items: List<OrderItem>  // deleted with the order
  /// @Persisted(onDelete: .deny) var customer: Customer?  // not deleted as long as it has orders
  /// ```
  ///
  /// Available for links, lists, sets and maps of objects, and for `AnyRealmValue`, also in embedded objects.
  /// Embedded objects need no rule. See ``DeleteRule``.
  ///
  /// The file keeps the rule, for all programs that write to it. Changing it needs no new schema version. If
  /// a class does not mention a rule, the rule of the file applies; `.nullify` ends it.
  @inlinable public init(onDelete rule: DeleteRule) {
    value = nil
    attributes = rule.attribute
  }

  /// Declares a property with a default value and a rule for deletions.
  @inlinable public init(wrappedValue: Value, onDelete rule: DeleteRule) {
    value = wrappedValue
    attributes = rule.attribute
  }
}

extension Persisted where Value: _Persistable, Value.PersistedType: _Indexable {
  /// Declares a property with a unique value: no two objects of the class have the same value, except nil. An
  /// addition to the official SDK.
  ///
  /// ```swift
  /// @Persisted(unique: true) var reference: String?
  /// ```
  ///
  /// The rule is checked at the end of each write transaction, so that two objects can exchange their values.
  /// A transaction that violates it is rolled back: its commit throws `Realm.Error.ruleBroken`, which names
  /// the class, the value and the objects. Opening a realm whose objects violate a new rule throws the error,
  /// too, and changes nothing.
  ///
  /// Queries use the property as an index. Values of type `AnyRealmValue` cannot be unique. Adding or
  /// removing the attribute needs no new schema version. If a class does not mention `unique`, the rule of
  /// the file applies; `unique: false` ends it.
  @inlinable public init(unique: Bool) {
    value = nil
    attributes = PersistedAttributes.choosesUnique | (unique ? PersistedAttributes.unique : 0)
  }

  /// Declares a unique property with a default value.
  @inlinable public init(wrappedValue: Value, unique: Bool) {
    value = wrappedValue
    attributes = PersistedAttributes.choosesUnique | (unique ? PersistedAttributes.unique : 0)
  }
}

extension Persisted where Value == Int {
  /// Declares a counter: when a realm is synchronised, the increments of all clients add up. An addition to the
  /// official SDK.
  ///
  /// ```swift
  /// @Persisted(counter: true) var likes: Int
  /// ```
  ///
  /// A client sends the difference between the value and the one that it last received, whether the program has
  /// written `likes += 1` or `likes = 5`. Other properties have the value of the last write. The tables of the server
  /// have to know the counter: `realm sync init --counter Dog.likes`. The file keeps nothing of the attribute, and in
  /// a realm that is not synchronised it has no effect.
  @inlinable public init(counter: Bool) {
    value = nil
    if counter { attributes = PersistedAttributes.counter }
  }

  /// Declares a counter with a default value, which the creation of an object adds.
  @inlinable public init(wrappedValue: Value, counter: Bool) {
    value = wrappedValue
    if counter { attributes = PersistedAttributes.counter }
  }
}
