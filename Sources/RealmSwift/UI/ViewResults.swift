import Foundation

#if canImport(SwiftUI)
  import SwiftUI
#endif

/// A type whose objects `@ObservedResults` can show: a class or a projection.
public protocol _ObservedResultsValue: RealmCollectionValue {
  /// The name, in queries, of the property that a key path of the type reads.
  static func _rlmPropertyName(_ keyPath: AnyKeyPath) -> String
}

extension Object: _ObservedResultsValue {
  /// For `_ObservedResultsValue`: the name, in queries, of the property that a key path reads.
  public static func _rlmPropertyName(_ keyPath: AnyKeyPath) -> String {
    KeyPathRecorder.name(of: keyPath, from: self)
  }
}

extension Projection: _ObservedResultsValue {
  /// For `_ObservedResultsValue`: the name, in queries, of the property that a key path reads.
  public static func _rlmPropertyName(_ keyPath: AnyKeyPath) -> String {
    KeyPathRecorder.name(of: keyPath) {
      self.init(projecting: unsafeDowncast(KeyPathRecorder.recorder(of: Root.self), to: Root.self))
    }
  }
}

/// What the results wrappers keep: the query, its live results, and their observation.
@MainActor
final class ViewResults<Element: _ObservedResultsValue & RealmFetchable & KeypathSortable>:
  ObservableObject
{
  /// What is asked for.
  struct Request {
    var configuration: Realm.Configuration?
    var filter: NSPredicate?
    var condition: ((Query<Element>) -> Query<Bool>)?
    var sortDescriptors: [SortDescriptor] = []
    var keyPaths: [String]?
    /// The property that has to contain a text.
    var search: (property: String, text: String)?
  }

  // Used on the main actor only, which the protocol does not know.
  nonisolated(unsafe) let objectWillChange = ObservableObjectPublisher()
  private var live: Results<Element>?
  private var token: NotificationToken?
  /// The frozen results that were shown last, while they are referenced.
  private weak var lastShown: ResultsCore?

  var request: Request {
    didSet {
      live = nil
      token = nil
      objectWillChange.send()
    }
  }

  init(_ request: Request) { self.request = request }

  /// The live results. The realm is opened when they are first asked for, with the environment's configuration when
  /// none was given.
  private func results(_ environment: Realm.Configuration) -> Results<Element> {
    if let live, !live.isInvalidated { return live }
    let realm: Realm
    do {
      realm = Realm(
        try Opening.open(request.configuration ?? environment, at: .current, from: nil))
    } catch {
      trap("The Realm could not be opened: \(error.localizedDescription)")
    }
    var results = realm.objects(Element.self)
    if let filter = request.filter {
      results = results.filter(filter)
    } else if let condition = request.condition {
      results = results.where(condition)
    }
    if let search = request.search {
      results = results.filter("\(search.property) CONTAINS %@", search.text)
    }
    if !request.sortDescriptors.isEmpty { results = results.sorted(by: request.sortDescriptors) }
    live = results
    return results
  }

  /// The results as a view gets to see them: frozen. Reading them starts the notification of changes.
  func shown(_ environment: Realm.Configuration) -> Results<Element> {
    let results = results(environment)
    observe(results)
    let realm = results.core.realm
    if let lastShown, lastShown.realm.isFrozen, lastShown.realm.snapshot.version == realm.snapshot.version {
      return Results(core: lastShown)
    }
    let frozen = results.freeze()
    lastShown = frozen.core
    return frozen
  }

  private func observe(_ results: Results<Element>) {
    guard token == nil, results.core.realm.isObservable else { return }
    token = results._rlmSubscribe(keyPaths: request.keyPaths) { [weak self] in
      MainActor.assumeIsolated { self?.objectWillChange.send() }
    }
  }

  /// Shows only what contains a text in a property; everything for an empty one.
  func search(_ text: String, on keyPath: KeyPath<Element, String>) {
    let property = Element._rlmPropertyName(keyPath)
    if request.search?.text ?? "" == text, text.isEmpty || request.search?.property == property { return }
    request.search = text.isEmpty ? nil : (property, text)
  }
}
