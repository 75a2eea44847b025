import RealmSwift
import Storage

/// The class that a text is pasted into, and the rows of the objects that it is pasted on.
struct PasteTarget: Sendable {
  let className: String
  /// Rows from the first one on that is replaced, of a view no more than the text has; nil when each row of the text becomes a new
  /// object.
  let rows: [Int]?

  /// Finds the target beside the queue of the session, which it uses for the rows of a view only.
  ///
  /// - Throws: `StudioFault` with status 404 when there is no such view.
  init(_ request: PasteRequest, _ text: PastedText, _ session: StudioSession) async throws {
    if let target = PasteTarget(withoutView: request) {
      self = target
    } else {
      self = try await session.runOnQueue { try PasteTarget(request, text, $0) }
    }
  }

  /// Finds the target on the queue of the session.
  ///
  /// - Throws: `StudioFault` with status 404 when there is no such view.
  init(_ request: PasteRequest, _ text: PastedText, _ file: StudioFile) throws {
    guard case .view(let number, let position) = request.place else {
      self = PasteTarget(withoutView: request)!
      return
    }
    let view = try file.views.view(number)
    className = view.query.className
    if let cache = view.besideRows {
      let all = try cache.rows(file.numbered.realm.storedVersion)
      rows = Array(all.dropFirst(position).prefix(text.rows.count))
    } else {
      rows = try Self.rows(view.collection, from: position, text.rows.count)
    }
  }

  /// Nil when the rows are those of a view.
  private init?(withoutView request: PasteRequest) {
    switch request.place {
    case .newObjects(let className): (self.className, rows) = (className, nil)
    case .rows(let rows, let className): (self.className, self.rows) = (className, rows)
    case .view: return nil
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
