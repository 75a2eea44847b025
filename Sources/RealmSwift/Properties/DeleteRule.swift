import Storage

/// What the deletion of an object means for those at the other ends of its links: `@Persisted(onDelete: …)`. An addition to
/// the official SDK.
///
/// Only deleting an object follows a rule. An object that leaves a list, or a link that is set to another object, deletes
/// nothing.
@frozen public enum DeleteRule: UInt8, Sendable, Hashable, CaseIterable {
  /// What the deleted object linked to stays, and links to the deleted object become nil or leave their collections. What
  /// properties have that say nothing.
  case nullify = 0
  /// What the deleted object linked to is deleted with it, and what that owns in turn.
  case cascade = 1
  /// The same for objects that no other object links to by a property with this rule or `cascade`. Objects that own
  /// each other in a circle stay until one of them is deleted. What is embedded in an object is no other object.
  case cascadeUnlessShared = 2
  /// An object that is linked can not be deleted: the commit throws `Realm.Error.ruleBroken`, which names both objects, and
  /// everything is rolled back. It may be deleted together with the objects that link to it, in any order, and after they
  /// have been linked to others.
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
  /// Reads the rule's name.
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

  /// Writes the rule's name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(self)")
  }
}
