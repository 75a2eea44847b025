/// Classes and properties that cannot be synchronised.
package struct SyncRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// One reason, as a sentence that names the class or the property and says what to do.
  package struct Reason: Sendable, Hashable, CustomStringConvertible {
    package var kind: Kind
    package var description: String

    package init(_ kind: Kind, _ description: String) {
      self.kind = kind
      self.description = description
    }
  }

  /// What is refused.
  package enum Kind: Sendable, Hashable, CaseIterable {
    case noSuchClass, noSuchProperty, noClasses
    case noPrimaryKey, compoundKey, optionalKey, generatedKey
    case link, embedded
    case unique, deleteRule, generatedValue
    case nameTooLong, reservedName, unusableName, clashingNames
    case counter, routing
    case changedType, changedKey, newerServer
  }

  /// All reasons, in the order of the classes and of their properties.
  package var reasons: [Reason]

  package init(_ reasons: [Reason]) { self.reasons = reasons }

  package var description: String { reasons.map(\.description).joined(separator: "\n") }
}
