import RealmSwift
import Storage

/// The class that a text is pasted into, and the rows of the objects that it is pasted on.
struct PasteTarget {
  let className: String
  /// As many as the text may have, from the first one on that is replaced; nil when each row of the text becomes a new object.
  let rows: [Int]?

  /// - Throws: `StudioFault` with status 404 when there is no such view.
  init(_ request: PasteRequest, _ place: StudioPlace) throws {
    switch request.place {
    case .newObjects(let className): (self.className, rows) = (className, nil)
    case .rows(let rows, let className): (self.className, self.rows) = (className, rows)
    case .view(let number, let position):
      let view = try place.views.view(number)
      className = view.query.className
      // More rows than the text has lines are never needed.
      let limit = request.text.utf8.count { $0 == 10 || $0 == 13 } + 1
      if let cache = view.besideRows {
        rows = Array(try cache.rows(place.numbered.realm.storedVersion).dropFirst(position).prefix(limit))
      } else {
        rows = try Self.rows(view.collection, from: position, limit)
      }
    }
  }

  private static func rows(_ collection: NumberedCollection, from start: Int, _ limit: Int) throws -> [Int] {
    let count = max(0, min(limit, try collection.count() - start))
    if count == 0 { return [] }
    return try withUnsafeTemporaryAllocation(of: Int64.self, capacity: count) { memory in
      let copied = try collection.copyRows(from: start, to: memory)
      return memory[..<copied].map { Int($0) }
    }
  }
}
