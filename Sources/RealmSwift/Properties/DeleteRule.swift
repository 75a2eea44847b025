import Storage

/// A rule for the deletion of an object that has links or is linked: `@Persisted(onDelete: …)`. An addition
/// to the official SDK.
///
/// ```swift
/// @Persisted(onDelete: .cascade) var items: List<OrderItem>  // deleted with the order
/// @Persisted(onDelete: .deny) var customer: Customer?  // not deleted as long as it has orders
/// ```
///
/// Rules are applied only when an object is deleted. Removing an object from a list, or setting a link to
/// another object, deletes nothing.
@frozen public enum DeleteRule: UInt8, Sendable, Hashable, CaseIterable {
  /// The default. Objects that the deleted object links to stay. Links to the deleted object become nil or
  /// are removed from their collections.
  case nullify = 0
  /// Objects that the deleted object links to are deleted with it, and the objects that they own in turn.
  case cascade = 1
  /// Objects that the deleted object links to are deleted with it unless another object links to them through
  /// a property with this rule or `cascade`. Objects that own each other in a cycle stay until one of them is
  /// deleted. Objects embedded in an object do not count as other objects.
  case cascadeUnlessShared = 2
  /// An object that is linked cannot be deleted: the commit throws `Realm.Error.ruleBroken`, which names both
  /// objects, and the transaction is rolled back. It can be deleted together with the objects that link to
  /// it, in any order, or after they have been linked to other objects.
  case deny = 3

  @usableFromInline @inline(__always)
  var attribute: UInt16 {
    switch self {
    case .nullify: PersistedAttributes.deleteRuleUnit
    case .cascade: PersistedAttributes.deleteRuleUnit * 2
    case .cascadeUnlessShared: PersistedAttributes.deleteRuleUnit * 3
    case .deny: PersistedAttributes.deleteRuleUnit * 4
    }
  }

  init(_ rule: LinkRule) { self = DeleteRule(rawValue: rule.rawValue)! }
}

extension DeleteRule: Codable {
  /// Decodes the name of the rule.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let rule = Self.allCases.first(where: { "\($0)" == name }) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription:
          "'\(name)' is no rule: one of \(Self.allCases.map { "\($0)" }.joined(separator: ", ")) is.")
    }
    self = rule
  }

  /// Encodes the name of the rule.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(self)")
  }
}
