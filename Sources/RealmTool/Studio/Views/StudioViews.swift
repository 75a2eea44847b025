import Dispatch
import RealmSwift
import Synchronization

/// The views of a session. With too many, the least used one is closed.
///
/// To be used on the queue of the session only.
final class StudioViews {
  private let numbered: NumberedRealm
  private let queue: DispatchQueue
  private let clients: StudioClients
  private let trail = VersionTrail()
  private var views: [Int: StudioView] = [:]
  private var useCount = 0
  private static let limit = 16
  /// Numbers are not used again, not even by another session: a page that makes its views again never meets another one.
  private static let lastNumber = Atomic(0)

  init(_ numbered: NumberedRealm, _ queue: DispatchQueue, _ clients: StudioClients) {
    self.numbered = numbered
    self.queue = queue
    self.clients = clients
    trail.note(numbered)
  }

  var count: Int { views.count }

  func close() {
    for view in views.values { view.close() }
    views = [:]
  }

  /// Returns the view of a query, a new one if there is none.
  ///
  /// - Parameter isSlow: Whether finding its rows takes long.
  /// - Throws: `StudioFault` with status 422 when filter or order do not fit the class.
  func view(for query: StudioQuery, isSlow: Bool) throws -> StudioView {
    if let known = views.values.first(where: { $0.query == query }) {
      if known.isSlow == isSlow && known.collection.isValid { return used(known) }
      remove(known)
    }
    let view = try StudioView(
      Self.lastNumber.add(1, ordering: .relaxed).newValue, query, isSlow: isSlow, numbered, queue, clients,
      trail)
    views[view.number] = view
    _ = used(view)
    if views.count > Self.limit, let least = views.values.min(by: { $0.lastUse < $1.lastUse }) {
      remove(least)
    }
    return view
  }

  private func remove(_ view: StudioView) {
    view.close()
    views[view.number] = nil
  }

  /// - Throws: `StudioFault` with status 404 when the view was closed, which the page then makes again.
  func view(_ number: Int) throws(StudioFault) -> StudioView {
    guard let view = views[number] else {
      throw StudioFault(404, "There is no view with the number \(number).")
    }
    return used(view)
  }

  private func used(_ view: StudioView) -> StudioView {
    useCount += 1
    view.lastUse = useCount
    return view
  }

  /// Called when the realm has moved to another version.
  func versionChanged() {
    trail.note(numbered)
    for view in views.values { view.versionChanged() }
  }
}
