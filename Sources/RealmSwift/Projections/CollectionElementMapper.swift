/// The properties of a collection's elements, to be projected.
@dynamicMemberLookup
public struct CollectionElementMapper<Element: ObjectBase & RealmCollectionValue> {
  private let collection: AnyRealmCollection<Element>

  init(_ collection: AnyRealmCollection<Element>) { self.collection = collection }

  /// What a key path reads of each element.
  public subscript<V>(dynamicMember member: KeyPath<Element, V>) -> ProjectedCollection<V> {
    ProjectedCollection(ProjectedElements(collection, member))
  }
}

extension List where Element: ObjectBase {
  /// The properties of the elements, for projections: `\Person.friends.projectTo.firstName`.
  public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(AnyRealmCollection(self)) }
}

extension MutableSet where Element: ObjectBase {
  /// The properties of the elements, for projections: `\Person.friends.projectTo.firstName`.
  public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(AnyRealmCollection(self)) }
}
