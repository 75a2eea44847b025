import Dispatch
import RealmSwift
import Storage

/// A query that a page shows: a collection that follows the realm, and whose changes are sent to the clients.
///
/// To be used on the queue of the session only.
final class StudioView {
  let number: Int
  let query: StudioQuery
  let collection: NumberedCollection
  /// Whether finding the objects takes so long that they are not observed: the clients are notified that anything may have changed.
  let isSlow: Bool
  /// The rows, where they are found beside the queue: those of slow views, and of many objects in an order.
  let besideRows: RowCache?
  private let numbered: NumberedRealm
  private let clients: StudioClients
  private let trail: VersionTrail
  private var token: NotificationToken?
  private var pace: EventPace?
  private var pending = PositionChanges()
  /// The version before the pending changes.
  private var pendingFrom: UInt64 = 0
  /// Number of the last use, counted over all views.
  var lastUse = 0

  /// Minimum time between two events, in seconds.
  private static let interval = 0.1
  /// Minimum time between two events of a slow view, in seconds.
  private static let slowInterval = 2.0
  /// Minimum time between two events of a view whose order is found beside the queue, in seconds.
  private static let orderInterval = 0.5
  /// Minimum processor time of the search for which a view is slow, in seconds.
  static let slowDuration = 0.2
  /// Maximum number of objects of a class that are sorted on the queue.
  static let sortLimit = 100_000
  static let rowLimit = 500

  init(
    _ number: Int, _ query: StudioQuery, isSlow: Bool, _ numbered: NumberedRealm, _ queue: DispatchQueue,
    _ clients: StudioClients, _ trail: VersionTrail
  ) throws {
    self.number = number
    self.query = query
    self.isSlow = isSlow
    self.numbered = numbered
    self.clients = clients
    self.trail = trail
    collection = try query.collection(in: numbered)
    let isLarge =
      try !query.sort.isEmpty && query.reader(in: numbered.realm.storedVersion).count > Self.sortLimit
    besideRows = isSlow || isLarge ? RowCache(query) : nil
    let interval =
      isSlow ? Self.slowInterval : besideRows == nil ? Self.interval : Self.orderInterval
    pace = EventPace(queue, interval: interval) { [weak self] in
      self?.sendChanges()
    }
    if isSlow { return }
    let first = trail.note(numbered)
    // Where the order is not found on the queue, the observer only notifies that something has changed.
    let isOrdered = besideRows == nil
    let observed = isOrdered ? collection : try query.unsorted.collection(in: numbered)
    token = try observed.observe(keyPaths: []) { [weak self] changes in
      guard let self else { return }
      let version = self.trail.note(numbered)
      // What happened before the observation began is in no changes.
      if changes.isInitial { return version == first ? () : add(.everything) }
      add(isOrdered ? PositionChanges(changes) : .everything)
    }
  }

  func close() {
    token?.invalidate()
    token = nil
    pace = nil
  }

  /// Called when the realm has moved to another version.
  func versionChanged() {
    if !isSlow { return }
    add(.everything)
  }

  private func add(_ changes: PositionChanges) {
    if pending.isEmpty { pendingFrom = trail.previous }
    pending.add(changes)
    pace?.request()
  }

  private func sendChanges() {
    let changes = pending
    pending = PositionChanges()
    if changes.isEmpty || clients.count == 0 { return }
    var bytes: [UInt8] = []
    bytes.append("{\"view\":\(number),\"from\":\(pendingFrom)")
    bytes.append(",\"version\":\(numbered.realm.storedVersion.version),\"count\":")
    // The page asks for the count of a slow view when it makes it again.
    if !isSlow, let count = try? collection.count() {
      bytes.append(decimal: count)
    } else {
      bytes.append("null")
    }
    changes.append(to: &bytes)
    bytes.append("}")
    clients.send("change", bytes)
  }

  // MARK: Rows

  /// Appends the rows from a position on as an answer.
  func rows(from start: Int, count: Int, columns: [Int]?) throws -> [UInt8] {
    let window = try RowWindow(reader: try query.reader(in: numbered.realm.storedVersion), columns: columns)
    let capacity = min(count, Self.rowLimit)
    var bytes: [UInt8] = []
    try withUnsafeTemporaryAllocation(of: Int64.self, capacity: max(capacity, 1)) { rows in
      let block = UnsafeMutableBufferPointer(rebasing: rows[..<capacity])
      let copied = try collection.copyRows(from: start, to: block)
      bytes = window.answer(count: try collection.count(), block[..<copied])
    }
    try numbered.check()
    return bytes
  }

  /// The position of an object; nil when the view does not have it.
  func position(ofRow row: Int) throws -> Int? {
    if row < 0 { return nil }
    let reader = try query.reader(in: numbered.realm.storedVersion)
    guard reader.table.isAlive(row) else { return nil }
    return try collection.firstPosition(of: .object(NumberedObject(classNumber: reader.number, row: row)))
  }
}

/// The two newest versions that the realm has shown.
final class VersionTrail {
  private(set) var previous: UInt64 = 0
  private(set) var current: UInt64 = 0

  /// Takes note of the version that a realm shows, and returns it.
  @discardableResult func note(_ numbered: NumberedRealm) -> UInt64 {
    let version = numbered.realm.storedVersion.version
    if version != current { (previous, current) = (current, version) }
    return version
  }
}
