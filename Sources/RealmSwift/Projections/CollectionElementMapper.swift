/// The properties of the elements of a collection, for projections.
@dynamicMemberLookup
public struct CollectionElementMapper<Element: ObjectBase & RealmCollectionValue> {
  private let collection: AnyRealmCollection<Element>

  init(_ collection: AnyRealmCollection<Element>) { self.collection = collection }

  /// The value of a key path for each element.
  public subscript<V>(dynamicMember member: KeyPath<Element, V>) -> ProjectedCollection<V> {
    ProjectedCollection(ProjectedElements(collection, member))
  }
}

extension List where Element: ObjectBase {
  /// The properties of the elements, for projections: `\Trail.huts.projectTo.name`.
  public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(AnyRealmCollection(self)) }
}

extension MutableSet where Element: ObjectBase {
  /// The properties of the elements, for projections: `\Trail.huts.projectTo.name`.
  public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(AnyRealmCollection(self)) }
}
