public import Foundation

#if canImport(SwiftUI)
  public import SwiftUI
#endif

/// Shows the objects of a class, or those of them that a query selects, and follows their changes.
///
///     struct PuppyList: View {
///       @ObservedResults(Dog.self, where: { $0.age < 2 }) var puppies
///
///       var body: some View {
///         ForEach(puppies) { dog in Text(dog.name) }
///           .onDelete(perform: $puppies.remove)
///       }
///     }
///
/// The realm is opened when the results are first read: with the given configuration, or else with the environment's
/// `realmConfiguration`.
@MainActor @propertyWrapper
public struct ObservedResults<ResultType>: DynamicProperty, BoundCollection
where ResultType: _ObservedResultsValue & RealmFetchable & KeypathSortable & Identifiable {
  /// What the collection has.
  public typealias Element = ResultType
  /// What is bound.
  public typealias Value = Results<ResultType>

  @Environment(\.realmConfiguration) private var environmentConfiguration
  @ObservedObject private var storage: ViewResults<ResultType>

  private init(_ request: ViewResults<ResultType>.Request) {
    _storage = ObservedObject(wrappedValue: ViewResults(request))
  }

  /// The objects for which a condition in predicate syntax holds.
  ///
  /// Only changes of the properties in `keyPaths` count, over links; nil stands for all.
  public init(
    _ type: ResultType.Type, configuration: Realm.Configuration? = nil, filter: NSPredicate? = nil,
    keyPaths: [String]? = nil, sortDescriptor: SortDescriptor? = nil
  ) {
    self.init(
      .init(
        configuration: configuration, filter: filter, sortDescriptors: sortDescriptor.map { [$0] } ?? [],
        keyPaths: keyPaths))
  }

  /// The objects for which a typed condition holds.
  ///
  /// Only changes of the properties in `keyPaths` count, over links; nil stands for all.
  public init(
    _ type: ResultType.Type, configuration: Realm.Configuration? = nil,
    where: ((Query<ResultType>) -> Query<Bool>)?, keyPaths: [String]? = nil,
    sortDescriptor: SortDescriptor? = nil
  ) {
    self.init(
      .init(
        configuration: configuration, condition: `where`, sortDescriptors: sortDescriptor.map { [$0] } ?? [],
        keyPaths: keyPaths))
  }

  /// All objects.
  ///
  /// Only changes of the properties in `keyPaths` count, over links; nil stands for all.
  public init(
    _ type: ResultType.Type, keyPaths: [String]?, configuration: Realm.Configuration? = nil,
    sortDescriptor: SortDescriptor? = nil
  ) {
    self.init(
      type, configuration: configuration, filter: nil, keyPaths: keyPaths, sortDescriptor: sortDescriptor)
  }

  /// The results as they are now, frozen.
  public var wrappedValue: Results<ResultType> { storage.shown(environmentConfiguration) }

  /// The changes of `BoundCollection`, and the settings of the query.
  public var projectedValue: ObservedResults { self }

  /// The condition in predicate syntax. It counts instead of `where`.
  public var filter: NSPredicate? {
    get { storage.request.filter }
    nonmutating set { storage.request.filter = newValue }
  }

  /// The typed condition.
  public var `where`: ((Query<ResultType>) -> Query<Bool>)? {
    get { storage.request.condition }
    nonmutating set { storage.request.condition = newValue }
  }

  /// The order of the results.
  public var sortDescriptor: SortDescriptor? {
    get { storage.request.sortDescriptors.first }
    nonmutating set { storage.request.sortDescriptors = newValue.map { [$0] } ?? [] }
  }

  /// Shows only the objects that contain a text in a property, besides the other conditions; all for an empty text.
  public func searchText(_ text: String, on keyPath: KeyPath<ResultType, String>) {
    storage.search(text, on: keyPath)
  }
}
