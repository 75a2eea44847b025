import QueryEngine
import RealmSwift
import Storage

/// The objects that a view shows, and their order.
struct StudioQuery: Hashable, Sendable {
  let className: String
  let filter: String
  let sort: [Key]

  struct Key: Hashable, Sendable {
    let keyPath: String
    let isAscending: Bool
  }

  /// Maximum size of a filter, in bytes of UTF-8. The time for reading longer ones is not limited.
  static let filterLimit = 1 << 16
  /// Maximum number of key paths of an order.
  static let keyLimit = 64
  /// Maximum size of a key path of an order, in bytes of UTF-8.
  static let keyPathLimit = 1_000

  /// Reads the document of a request for a view.
  ///
  /// - Throws: `StudioFault` with status 400 when it is not one, and 422 when it is too long.
  init(_ body: JSONValue) throws(StudioFault) {
    guard let className = body["class"]?.text else {
      throw StudioFault(400, "The member 'class' is missing.")
    }
    self.className = className
    switch body["filter"] {
    case .string(let text): filter = text
    case nil, .null: filter = ""
    default: throw StudioFault(400, "The member 'filter' is not a text.")
    }
    var keys: [Key] = []
    switch body["sort"] {
    case .array(let elements):
      for element in elements {
        guard case .array(let parts) = element, parts.count == 2, let keyPath = parts[0].text,
          case .bool(let isAscending) = parts[1]
        else { throw StudioFault(400, "An element of 'sort' is not a pair of a key path and true or false.") }
        keys.append(Key(keyPath: keyPath, isAscending: isAscending))
      }
    case nil, .null: break
    default: throw StudioFault(400, "The member 'sort' is not an array.")
    }
    sort = keys
    try checkSize()
  }

  private func checkSize() throws(StudioFault) {
    if filter.utf8.count > Self.filterLimit {
      let message = "The query is longer than \(Numbers.bytes(Self.filterLimit))."
      throw StudioFault(422, message, details: "\"from\":0,\"to\":\(filter.utf16.count)")
    }
    if sort.count > Self.keyLimit {
      throw StudioFault(422, "The order has more than \(Self.keyLimit) properties.", details: "\"sort\":true")
    }
    if sort.contains(where: { $0.keyPath.utf8.count > Self.keyPathLimit }) {
      let message = "A key path of the order is longer than \(Numbers.bytes(Self.keyPathLimit))."
      throw StudioFault(422, message, details: "\"sort\":true")
    }
  }

  init(className: String, filter: String = "", sort: [Key] = []) {
    self.className = className
    self.filter = filter
    self.sort = sort
  }

  /// The query for its objects in no order.
  var unsorted: StudioQuery { StudioQuery(className: className, filter: filter) }

  func reader(in snapshot: Snapshot) throws(StudioFault) -> ClassReader {
    try ClassReader.requested(className, in: snapshot)
  }

  // MARK: As a live collection

  /// The objects as a collection that follows the realm.
  ///
  /// - Throws: `StudioFault` with status 422 when filter or order do not fit the class.
  func collection(in realm: NumberedRealm) throws -> NumberedCollection {
    let reader = try reader(in: realm.realm.storedVersion)
    _ = try sortKeys(reader)
    var collection = try realm.objects(reader.number)
    let filter = try StudioFilter(filter)
    if !filter.isEmpty {
      _ = try filter.predicate(reader)
      collection = try collection.filter(
        filter.format, try filter.numberedArguments(in: reader.snapshot), texts: .onCommandLine)
    }
    if !sort.isEmpty {
      collection = try collection.sorted(
        by: sort.map { RealmSwift.SortDescriptor(keyPath: $0.keyPath, ascending: $0.isAscending) })
    }
    return collection
  }

  // MARK: In one version

  /// The objects in no order; all for an empty filter.
  func selection(_ reader: ClassReader) throws -> RowSelection {
    let filter = try StudioFilter(filter)
    if filter.isEmpty { return .all }
    return .set(reader.snapshot.evaluate(try filter.predicate(reader), table: reader.number, letsGo: true))
  }

  /// Throws `StudioFault` with status 422 when the order does not fit the class.
  private func sortKeys(_ reader: ClassReader) throws(StudioFault) -> [SortKey] {
    var keys: [SortKey] = []
    for key in sort {
      do {
        keys.append(
          try SortKey(
            keyPath: key.keyPath, isAscending: key.isAscending, table: reader.number,
            catalogue: reader.snapshot.catalogue))
      } catch {
        let message = (error as? PredicateError)?.message ?? "\(error)"
        throw StudioFault(422, message, details: "\"sort\":true")
      }
    }
    return keys
  }

  /// The number of objects.
  func count(in snapshot: Snapshot) throws -> Int {
    let reader = try reader(in: snapshot)
    _ = try sortKeys(reader)
    let filter = try StudioFilter(filter)
    if filter.isEmpty { return reader.count }
    return snapshot.count(try filter.predicate(reader), table: reader.number, letsGo: true)
  }

  /// The rows in their order.
  func rows(_ reader: ClassReader) throws -> [Int] {
    let keys = try sortKeys(reader)
    let selection = try selection(reader)
    if keys.isEmpty { return reader.snapshot.rows(of: selection, table: reader.number) }
    let count =
      if case .set(let rows) = selection { rows.count } else { reader.count }
    return reader.snapshot.sort(selection, count: count, by: keys, table: reader.number).rows
  }
}
