public import Foundation

#if canImport(SwiftUI)
  public import SwiftUI
#endif

/// A property wrapper that observes the objects of a class, or those that satisfy a query, in sections.
///
/// ```swift
/// struct HutsByKind: View {
///   @ObservedSectionedResults(Hut.self, sectionKeyPath: \.kind) var kinds
///
///   var body: some View {
///     ForEach(kinds) { kind in
///       Section(kind.key.rawValue) {
///         ForEach(kind) { hut in Text(hut.name) }
///           .onDelete { $kinds.remove(atOffsets: $0, section: kind) }
///       }
///     }
///   }
/// }
/// ```
///
/// The realm is opened as for `@ObservedResults`.
@MainActor @propertyWrapper
public struct ObservedSectionedResults<Key, ResultType>: DynamicProperty
where
  Key: _Persistable & Hashable,
  ResultType: _ObservedResultsValue & RealmFetchable & KeypathSortable & Identifiable
{
  /// The type of a typed condition.
  public typealias Filter = (Query<ResultType>) -> Query<Bool>

  @Environment(\.realmConfiguration) private var environmentConfiguration
  @ObservedObject private var storage: ViewResults<ResultType>
  private let keyBlock: (ResultType) -> Key
  private let sections = LastSections<Key, ResultType>()

  private init(
    _ keyBlock: @escaping (ResultType) -> Key, _ request: ViewResults<ResultType>.Request
  ) {
    self.keyBlock = keyBlock
    _storage = ObservedObject(wrappedValue: ViewResults(request))
  }

  /// Observes the objects in sections by the value of a property, which sorts the objects if there are no
  /// sort descriptors.
  ///
  /// Only changes of the properties in `keyPaths`, which can follow links, update the view; nil stands for
  /// all.
  public init(
    _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>,
    sortDescriptors: [SortDescriptor] = [], filter: NSPredicate? = nil, keyPaths: [String]? = nil,
    configuration: Realm.Configuration? = nil
  ) {
    self.init(
      { $0[keyPath: sectionKeyPath] },
      .init(
        configuration: configuration, filter: filter,
        sortDescriptors: Self.order(sortDescriptors, sectionKeyPath), keyPaths: keyPaths))
  }

  /// Observes the objects that satisfy a typed condition, in sections by the value of a property.
  ///
  /// Only changes of the properties in `keyPaths`, which can follow links, update the view; nil stands for
  /// all.
  public init(
    _ type: ResultType.Type, sectionKeyPath: KeyPath<ResultType, Key>,
    sortDescriptors: [SortDescriptor] = [], where: Filter?, keyPaths: [String]? = nil,
    configuration: Realm.Configuration? = nil
  ) {
    self.init(
      { $0[keyPath: sectionKeyPath] },
      .init(
        configuration: configuration, condition: `where`,
        sortDescriptors: Self.order(sortDescriptors, sectionKeyPath), keyPaths: keyPaths))
  }

  /// Observes the objects in sections by keys that a block computes. Stops the program if there is no sort
  /// descriptor.
  ///
  /// Only changes of the properties in `keyPaths`, which can follow links, update the view; nil stands for
  /// all.
  public init(
    _ type: ResultType.Type, sectionBlock: @escaping (ResultType) -> Key,
    sortDescriptors: [SortDescriptor] = [], filter: NSPredicate? = nil, keyPaths: [String]? = nil,
    configuration: Realm.Configuration? = nil
  ) {
    Self.checkOrder(sortDescriptors)
    self.init(
      sectionBlock,
      .init(
        configuration: configuration, filter: filter, sortDescriptors: sortDescriptors, keyPaths: keyPaths))
  }

  /// Observes the objects that satisfy a typed condition, in sections by keys that a block computes.
  ///
  /// Only changes of the properties in `keyPaths`, which can follow links, update the view; nil stands for
  /// all.
  public init(
    _ type: ResultType.Type, sectionBlock: @escaping (ResultType) -> Key,
    sortDescriptors: [SortDescriptor] = [], where: Filter?, keyPaths: [String]? = nil,
    configuration: Realm.Configuration? = nil
  ) {
    Self.checkOrder(sortDescriptors)
    self.init(
      sectionBlock,
      .init(
        configuration: configuration, condition: `where`, sortDescriptors: sortDescriptors, keyPaths: keyPaths
      ))
  }

  private static func order(
    _ descriptors: [SortDescriptor], _ keyPath: KeyPath<ResultType, Key>
  ) -> [SortDescriptor] {
    let name = ResultType._rlmPropertyName(keyPath)
    guard let first = descriptors.first else { return [SortDescriptor(keyPath: name, ascending: true)] }
    if first.keyPath != name { trap("The section key path must match the primary sort descriptor.") }
    return descriptors
  }

  private static func checkOrder(_ descriptors: [SortDescriptor]) {
    if descriptors.isEmpty {
      trap("sortDescriptors must not be empty when sectioning ObservedSectionedResults with `sectionBlock`")
    }
  }

  /// The current sections, frozen.
  public var wrappedValue: SectionedResults<Key, ResultType> {
    sections.of(storage.shown(environmentConfiguration), keyBlock)
  }

  /// The property wrapper itself, for changing the objects and the settings of the query.
  public var projectedValue: ObservedSectionedResults { self }

  /// The condition in predicate syntax. It takes precedence over `where`.
  public var filter: NSPredicate? {
    get { storage.request.filter }
    nonmutating set { storage.request.filter = newValue }
  }

  /// The typed condition.
  public var `where`: Filter? {
    get { storage.request.condition }
    nonmutating set { storage.request.condition = newValue }
  }

  /// The order of the objects.
  public var sortDescriptors: [SortDescriptor] {
    get { storage.request.sortDescriptors }
    nonmutating set {
      Self.checkOrder(newValue)
      storage.request.sortDescriptors = newValue
    }
  }

  /// Limits the results to objects that contain a text in a property, in addition to the other conditions. An
  /// empty text matches all objects.
  public func searchText(_ text: String, on keyPath: KeyPath<ResultType, String>) {
    storage.search(text, on: keyPath)
  }

  /// The objects of all sections.
  fileprivate var results: BoundResults<ResultType> {
    BoundResults(wrappedValue: storage.shown(environmentConfiguration))
  }
}

extension ObservedSectionedResults where ResultType: Object {
  /// Adds an object to the realm.
  public func append(_ value: ResultType) { results.append(value) }

  /// Deletes an object if it is displayed.
  public func remove(_ value: ResultType) { results.remove(value) }

  /// Deletes the objects at the given positions of a section.
  public func remove(atOffsets offsets: IndexSet, section: ResultsSection<Key, ResultType>) {
    results.remove(offsets.map { section[$0] })
  }
}

extension ObservedSectionedResults where ResultType: ProjectionObservable, ResultType.Root: Object {
  /// Adds the root object of a projection to the realm.
  public func append(_ value: ResultType) { results.append(value) }

  /// Deletes the root object of a projection if it is displayed.
  public func remove(_ value: ResultType) { results.remove(value) }

  /// Deletes the objects at the given positions of a section.
  public func remove(atOffsets offsets: IndexSet, section: ResultsSection<Key, ResultType>) {
    results.remove(offsets.map { section[$0] })
  }
}

/// Results that are changed on behalf of the sections.
private struct BoundResults<Element: RealmCollectionValue>: BoundCollection {
  let wrappedValue: Results<Element>
}

/// The sections that were shown last, while they are referenced.
@MainActor private final class LastSections<Key: _Persistable & Hashable, Element: RealmCollectionValue> {
  private weak var core: SectionsCore<Key, Element>?

  func of(
    _ results: Results<Element>, _ keyBlock: @escaping (Element) -> Key
  ) -> SectionedResults<Key, Element> {
    if let core, core.results == results { return SectionedResults(core: core) }
    let sections = SectionedResults(results, by: keyBlock)
    core = sections.core
    return sections
  }
}
