public import Foundation

#if canImport(SwiftUI)
  public import SwiftUI
#endif

/// A property wrapper that observes the objects of a class, or those that satisfy a query.
///
/// ```swift
/// struct SmallHutList: View {
///   @ObservedResults(Hut.self, where: { $0.beds < 20 }) var huts
///
///   var body: some View {
///     ForEach(huts) { hut in Text(hut.name) }
///       .onDelete(perform: $huts.remove)
///   }
/// }
/// ```
///
/// The realm is opened when the results are first read: with the given configuration, or else with
/// `realmConfiguration` of the environment.
@MainActor @propertyWrapper
public struct ObservedResults<ResultType>: DynamicProperty, BoundCollection
where ResultType: _ObservedResultsValue & RealmFetchable & KeypathSortable & Identifiable {
  /// The type of the elements.
  public typealias Element = ResultType
  /// The type of the value.
  public typealias Value = Results<ResultType>

  @Environment(\.realmConfiguration) private var environmentConfiguration
  @ObservedObject private var storage: ViewResults<ResultType>

  private init(_ request: ViewResults<ResultType>.Request) {
    _storage = ObservedObject(wrappedValue: ViewResults(request))
  }

  /// Observes the objects that satisfy a condition in predicate syntax.
  ///
  /// Only changes of the properties in `keyPaths`, which can follow links, update the view; nil stands for
  /// all.
  public init(
    _ type: ResultType.Type, configuration: Realm.Configuration? = nil, filter: NSPredicate? = nil,
    keyPaths: [String]? = nil, sortDescriptor: SortDescriptor? = nil
  ) {
    self.init(
      .init(
        configuration: configuration, filter: filter, sortDescriptors: sortDescriptor.map { [$0] } ?? [],
        keyPaths: keyPaths))
  }

  /// Observes the objects that satisfy a typed condition.
  ///
  /// Only changes of the properties in `keyPaths`, which can follow links, update the view; nil stands for
  /// all.
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

  /// Observes all objects of the class.
  ///
  /// Only changes of the properties in `keyPaths`, which can follow links, update the view; nil stands for
  /// all.
  public init(
    _ type: ResultType.Type, keyPaths: [String]?, configuration: Realm.Configuration? = nil,
    sortDescriptor: SortDescriptor? = nil
  ) {
    self.init(
      type, configuration: configuration, filter: nil, keyPaths: keyPaths, sortDescriptor: sortDescriptor)
  }

  /// The current results, frozen.
  public var wrappedValue: Results<ResultType> { storage.shown(environmentConfiguration) }

  /// The property wrapper itself, for the methods of `BoundCollection` and the settings of the query.
  public var projectedValue: ObservedResults { self }

  /// The condition in predicate syntax. It takes precedence over `where`.
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

  /// Limits the results to objects that contain a text in a property, in addition to the other conditions. An
  /// empty text matches all objects.
  public func searchText(_ text: String, on keyPath: KeyPath<ResultType, String>) {
    storage.search(text, on: keyPath)
  }
}
