/// Where the elements of a collection come from.
public struct _CollectionOrigin {
  enum Kind {
    case unmanaged
    /// A column of its own.
    case stored(StoredCollection)
    /// A list or dictionary within a mixed value.
    case nested(NestedCollection)
    /// A query, or other objects' links to one.
    case query(ResultsCore)
  }

  let kind: Kind

  static var unmanaged: _CollectionOrigin { _CollectionOrigin(kind: .unmanaged) }
}
