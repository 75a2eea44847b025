import Storage

/// What tells collections of one form from others: the kind, and the type of the elements.
protocol CollectionForm {
  var kind: CollectionType { get }
  /// The type on the server; of links, that of the target's key.
  var element: ServerType { get }
}

extension CollectionForm {
  /// Whether it is a set of mixed values, among which numbers of several types are one element.
  var isMixedSet: Bool { kind == .set && element == .jsonb }

  /// Whether the elements have values beside what tells them apart: the later write of a value wins.
  var hasValues: Bool { kind == .map || isMixedSet }
}
