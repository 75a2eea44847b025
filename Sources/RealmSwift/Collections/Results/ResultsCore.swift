import Foundation
import QueryEngine
import Storage
import Synchronization

/// The live query behind `Results`: where its rows come from, which of them it keeps, and in which order.
///
/// It evaluates when first asked, and again when anything in its realm may have changed since.
final class ResultsCore {
  /// Where the rows come from.
  enum Source {
    /// All rows of the class.
    case table
    /// The rows of a list or of other objects' links, in their order.
    case rows(() -> [Int])
    /// Plain values, of a collection that holds no objects.
    case values(() -> [StoredValue])
  }

  /// What is done with the rows, in this order.
  enum Step {
    case filter(Predicate)
    case sort([SortKey])
    case distinct([SortKey])
    /// For plain values.
    case sortValues(ascending: Bool)
    case distinctValues
  }

  let realm: RealmCore
  /// How often the realm was invalidated before the results were made.
  private let invalidationCount: Int
  /// Whether the realm has been invalidated since.
  var isInvalidated: Bool { realm.isClosed || realm.invalidationCount != invalidationCount }
  /// The class of the objects; nil for plain values.
  let type: ObjectBase.Type?
  /// The class when it is known only to the file.
  let dynamicTable: Int?
  let source: Source
  /// The same for finding it again in another realm.
  let origin: ResultsOrigin
  private let chain: ResultsSteps
  var steps: [Step] { chain.all }
  /// The visible stamp at which the rows were found. Those of a frozen realm are found once, under the lock, and may
  /// be read by every thread that has seen the stamp.
  private let foundStamp = Atomic(Int.min)
  private var stamp: Int { foundStamp.load(ordering: .acquiring) }
  private let lock = FirstUseLock()
  @exclusivity(unchecked) private var rows: Rows = .list([])
  private var storedValues: [StoredValue]?

  /// Rows as they were found.
  private enum Rows {
    /// All rows below a limit, none missing.
    case dense(Int)
    /// Ascending, too many for a list, or looked up as far as they are asked for.
    case ranked(RankedRows)
    case list([Int])
    /// In an order that is established as far as it is asked for.
    case sorted(PartialSort)
  }

  init(
    realm: RealmCore, type: ObjectBase.Type?, dynamicTable: Int? = nil, source: Source,
    origin: ResultsOrigin, chain: ResultsSteps = ResultsSteps([])
  ) {
    self.realm = realm
    invalidationCount = realm.invalidationCount
    self.type = type
    self.dynamicTable = dynamicTable
    self.source = source
    self.origin = origin
    self.chain = chain
  }

  func adding(_ step: Step) -> ResultsCore { adding(chain.appending(step)) }

  func adding(_ added: [Step]) -> ResultsCore { adding(chain.appending(added)) }

  private func adding(_ chain: ResultsSteps) -> ResultsCore {
    ResultsCore(
      realm: realm, type: type, dynamicTable: dynamicTable, source: source, origin: origin, chain: chain)
  }

  var classTable: ClassTable {
    if let dynamicTable { return realm.dynamicClassTable(dynamicTable) }
    return realm.classTable(type!)
  }

  /// The object of a row.
  @inline(__always)
  func object(_ row: Int) -> ObjectBase {
    if dynamicTable == nil, let type { return realm.withClassTable(type) { $0.accessor(row) } }
    return classTable.accessor(row)
  }

  private var nameInMessages: String { type.map { "Results<\($0.className())>" } ?? "Results" }

  // MARK: Evaluation

  /// Stops the program unless the results may be read here, and records the read if reads are tracked.
  @inline(__always)
  private func checkRead() {
    realm.checkThread(nameInMessages)
    if realm.isTracked { noteRead() }
  }

  @inline(never)
  private func noteRead() {
    guard let tracking = realm.openTracking else { return }
    if isOfValues { tracking.note(ReadTracking.Cell.everything) } else { tracking.note(dependencies) }
  }

  /// Called where the program asks for the element at a position: see `RealmCore.pause`.
  @inline(__always)
  func pause(at position: Int = 0) {
    if realm.isEncrypted, position & 15 == 0, realm.snapshot.mayHoldTooMuch { pauseSlowly() }
  }

  @inline(never)
  private func pauseSlowly() {
    checkRead()
    // What is not in order yet would have to be sorted again.
    if isFound, case .sorted(let sort) = rows { _ = sort.allRows }
    realm.pause()
  }

  private func evaluate() {
    checkRead()
    let now = realm.snapshot.visibleStamp
    if isFound(at: now) { return }
    logQuery()  // not under the lock: it calls the program
    if !realm.isFrozen { return find(now) }
    lock.withLock {
      if now != stamp { find(now) }
    }
  }

  /// Whether the rows are those of now.
  private var isFound: Bool { isFound(at: realm.snapshot.visibleStamp) }

  @inline(__always)
  private func isFound(at now: Int) -> Bool {
    if now != stamp { return false }
    if case .sorted(let sort) = rows { return sort.isReadable }
    return true
  }

  private func find(_ now: Int) {
    if case .values(let values) = source {
      storedValues = apply(steps, to: values())
    } else {
      rows = evaluateRows()
    }
    foundStamp.store(now, ordering: .releasing)
  }

  private func evaluateRows() -> Rows {
    let snapshot = realm.snapshot
    let table = classTable.table
    if case .table = source, case .filter(let predicate)? = chain.only {
      return rows(snapshot.evaluate(predicate, table: table.number, letsGo: true), of: table)
    }
    var steps = steps[...]
    // A later sort decides before an earlier one.
    var lastKeys: [SortKey] = []
    while case .sort(let keys)? = steps.last {
      lastKeys += keys
      steps = steps.dropLast()
    }
    if !lastKeys.isEmpty, case .table = source {
      var others = steps
      let predicates = leadingFilters(&others)
      if !predicates.isEmpty && others.isEmpty {
        return rows(
          PartialSort(matching: Self.conjunction(predicates), by: lastKeys, table: table.number, in: snapshot)
        )
      }
    }
    var found = foundInSource(&steps)
    for step in steps {
      let list = snapshot.rows(of: found, table: table.number)
      switch step {
      case .filter(let predicate):
        found = .rows(snapshot.evaluate(predicate, table: table.number, rows: list))
      case .sort(let keys): found = .rows(snapshot.sort(list, by: keys, table: table.number))
      case .distinct(let keys): found = .rows(snapshot.distinct(list, by: keys, table: table.number))
      case .sortValues, .distinctValues: break
      }
    }
    let count: Int
    switch found {
    case .all: count = table.state.pointee.liveCount
    case .set(let rows): count = rows.count
    case .rows(let rows): count = rows.count
    }
    if !lastKeys.isEmpty {
      return rows(PartialSort(found, count: count, by: lastKeys, table: table.number, in: snapshot))
    }
    switch found {
    case .all: return count == table.rowLimit ? .dense(count) : presentRows(of: table)
    case .set(let set): return rows(set, of: table)
    case .rows(let list): return .list(list)
    }
  }

  private func rows(_ set: RowSet, of table: Table) -> Rows {
    if isForList(set.count, of: table) { return .list(set.rows) }
    return ranked(RankedRows(set, rowLimit: table.rowLimit))
  }

  /// Whether a list of so many rows takes no more memory than bits and ranks of all rows of the table.
  private func isForList(_ count: Int, of table: Table) -> Bool { count <= max(64, table.rowLimit / 32) }

  private func presentRows(of table: Table) -> Rows {
    if realm.isFrozen {
      // Found once and for good; while a realm is live, what is known outlives its writes.
      return rows(realm.snapshot.evaluate(.constant(true), table: table.number), of: table)
    }
    if case .ranked(let known) = rows, known.follows(table) { return rows }
    return .ranked(RankedRows(of: table))
  }

  private func ranked(_ rows: RankedRows) -> Rows {
    if realm.isFrozen { rows.complete() }
    return .ranked(rows)
  }

  /// What grows is for one thread.
  private func rows(_ sort: PartialSort) -> Rows { realm.isFrozen ? .list(sort.allRows) : .sorted(sort) }

  /// The rows of the source, and the filters that come first, which are taken out of the steps.
  private func foundInSource(_ steps: inout ArraySlice<Step>) -> RowSelection {
    switch source {
    case .values: return .rows([])
    case .rows(let rows): return .rows(rows())
    case .table:
      let predicates = leadingFilters(&steps)
      if predicates.isEmpty { return .all }
      return .set(
        realm.snapshot.evaluate(
          Self.conjunction(predicates), table: classTable.table.number, letsGo: true))
    }
  }

  /// The filters that come first, which are taken out of the steps.
  func leadingFilters(_ steps: inout ArraySlice<Step>) -> [Predicate] {
    var predicates: [Predicate] = []
    while case .filter(let predicate)? = steps.first {
      predicates.append(predicate)
      steps = steps.dropFirst()
    }
    return predicates
  }

  static func conjunction(_ predicates: [Predicate]) -> Predicate {
    predicates.count == 1 ? predicates[0] : .and(predicates)
  }

  private func apply(_ steps: [Step], to values: [StoredValue]) -> [StoredValue] {
    var values = values
    for step in steps {
      switch step {
      case .sortValues(let ascending):
        values.sort { ascending ? StoredValue.order($0, $1) < 0 : StoredValue.order($1, $0) < 0 }
      case .distinctValues:
        var seen: Set<StoredValue> = []
        values = values.filter { seen.insert($0).inserted }
      case .filter, .sort, .distinct: break
      }
    }
    return values
  }

  // MARK: Asking

  /// The predicates, when nothing else is done.
  var onlyFilters: [Predicate]? {
    guard case .table = source else { return nil }
    if case .filter(let predicate)? = chain.only { return [predicate] }
    var predicates: [Predicate] = []
    for step in steps {
      guard case .filter(let predicate) = step else { return nil }
      predicates.append(predicate)
    }
    return predicates
  }

  var count: Int {
    checkRead()
    let snapshot = realm.snapshot
    if !isFound, let predicates = onlyFilters {
      let table = classTable.table
      // Counting does not need the rows.
      if predicates.isEmpty { return table.state.pointee.liveCount }
      logQuery()
      return snapshot.count(Self.conjunction(predicates), table: table.number, letsGo: true)
    }
    evaluate()
    if let storedValues { return storedValues.count }
    switch rows {
    case .dense(let limit): return limit
    case .ranked(let ranked): return ranked.count
    case .list(let list): return list.count
    case .sorted(let sort): return sort.count
    }
  }

  /// The first row, without finding the others.
  var firstRow: Int? {
    checkRead()
    let snapshot = realm.snapshot
    if !isFound, let predicates = onlyFilters, !predicates.isEmpty {
      logQuery()
      return snapshot.firstRow(
        Self.conjunction(predicates), table: classTable.table.number, letsGo: true)
    }
    return row(ifAt: 0)
  }

  /// The row at a position; nil when there are not so many, for which they need not be counted.
  func row(ifAt position: Int) -> Int? {
    evaluate()
    switch rows {
    case .dense(let limit): return position < limit ? position : nil
    case .ranked(let ranked): return ranked.row(ifAt: position)
    case .list(let list): return position < list.count ? list[position] : nil
    case .sorted(let sort): return sort.row(ifAt: position)
    }
  }

  /// All rows. When they are not kept as a list this makes one.
  var allRows: [Int] {
    evaluate()
    switch rows {
    case .dense(let limit): return Array(0..<limit)
    case .ranked(let ranked): return ranked.set.rows
    case .list(let list): return list
    case .sorted(let sort): return sort.allRows
    }
  }

  /// A walk over the objects as they are now, whatever happens to the realm from now on.
  func cursor() -> ObjectCursor {
    evaluate()
    let classTable = classTable
    switch rows {
    case .dense(let limit): return ObjectCursor(classTable, limit: limit)
    case .ranked(let ranked): return ObjectCursor(classTable, ranked.makeWalk())
    case .list(let list): return ObjectCursor(classTable, rows: ContiguousArray(list))
    case .sorted(let sort):
      if sort.isComplete { return ObjectCursor(classTable, rows: ContiguousArray(sort.allRows)) }
      sort.pinVersion()
      return ObjectCursor(classTable, sort)
    }
  }

  /// The row at a position, which must be within bounds.
  @inline(__always)
  func row(at position: Int) -> Int {
    if !isFound { evaluate() }
    switch rows {
    case .dense: return position
    // Fewer than were counted are there only where damage is noted: the caller is told afterwards.
    case .ranked(let ranked): return ranked.row(ifAt: position) ?? 0
    case .list(let list): return list[position]
    case .sorted(let sort): return sort.row(at: position)
    }
  }

  var values: [StoredValue] {
    evaluate()
    return storedValues ?? []
  }

  /// The position of a row.
  func position(ofRow row: Int) -> Int? {
    evaluate()
    switch rows {
    case .dense(let limit): return row < limit ? row : nil
    case .ranked(let ranked): return ranked.position(of: row)
    case .list(let list): return list.firstIndex(of: row)
    case .sorted(let sort): return sort.position(of: row)
    }
  }

  /// The rows as a selection for aggregates.
  var selection: RowSelection {
    let filters = onlyFilters
    if filters?.isEmpty == true { return .all }
    // Kept, as when the objects themselves are asked for: the next aggregate needs them again.
    evaluate()
    switch rows {
    case .ranked(let ranked): return .set(ranked.set)
    case .list(let list) where filters != nil: return .set(RowSet(ascending: list))
    case .sorted(let sort): return sort.selection
    case .list, .dense: return .rows(allRows)
    }
  }
}
