import RealmSwift
import Storage

extension StudioRoute {
  /// The routes that read objects.
  static let reading = views + objects + computations

  private static let views = [
    StudioRoute(.post, "view") { request, session in .json(try await openView(request, session)) },
    StudioRoute(.get, "view/*/rows") { request, session in .json(try await rows(request, session)) },
    StudioRoute(.get, "view/*/find") { request, session in .json(try await find(request, session)) },
    StudioRoute(.get, "view/*/explain") { request, session in .json(try await explain(request, session)) },
  ]

  // MARK: Views

  private static func openView(_ request: StudioRequest, _ session: StudioSession) async throws -> [UInt8] {
    let query = try StudioQuery(request.document())
    let clock = ContinuousClock()
    let begin = clock.now
    // Only a filter takes time: without one the number of objects is known.
    let found =
      query.filter.isEmpty
      ? nil
      : try await session.runBeside(limit: StudioSession.queryLimit) { version in
        let start = Clock.threadSeconds
        return (count: try query.count(in: version.snapshot), duration: Clock.threadSeconds - start)
      }
    return try await session.runOnQueue { file in
      let isSlow = (found?.duration ?? 0) > StudioView.slowDuration
      let view = try file.views.view(for: query, isSlow: isSlow)
      let count = try found?.count ?? view.collection.count()
      let duration = (clock.now - begin) / Duration.milliseconds(1)
      var bytes: [UInt8] = []
      bytes.append("{\"view\":\(view.number),\"class\":")
      bytes.appendJSON(query.className)
      bytes.append(",\"count\":\(count),\"version\":\(try file.numbered.versionNumber()),\"ms\":")
      NumberText.append((duration * 100).rounded() / 100, to: &bytes)
      bytes.append("}")
      return bytes
    }
  }

  private static func rows(_ request: StudioRequest, _ session: StudioSession) async throws -> [UInt8] {
    let number = try request.number(0)
    let start = max(try request.number("from", default: 0), 0)
    let count = min(max(try request.number("count", default: 200), 0), StudioView.rowLimit)
    var columns: [Int]?
    if let text = request.query["columns"] {
      columns = try text.split(separator: ",").map { part in
        guard let number = Int(part) else {
          throw StudioFault(400, "'\(part)' in 'columns' is not a number.")
        }
        return number
      }
    }
    let chosen = columns
    enum Outcome {
      case answer([UInt8])
      case beside(StudioQuery, RowCache)
    }
    let outcome = try await session.runOnQueue { file -> Outcome in
      let view = try file.views.view(number)
      if let cache = view.besideRows { return .beside(view.query, cache) }
      return .answer(try view.rows(from: start, count: count, columns: chosen))
    }
    switch outcome {
    case .answer(let bytes): return bytes
    case .beside(let query, let cache):
      return try await session.runBeside(limit: StudioSession.queryLimit) { version in
        let reader = try query.reader(in: version.snapshot)
        let rows = try cache.rows(version.snapshot)
        let window = try RowWindow(reader: reader, columns: chosen)
        return window.answer(count: rows.count, rows.dropFirst(start).prefix(count).map { Int64($0) })
      }
    }
  }

  private static func find(_ request: StudioRequest, _ session: StudioSession) async throws -> [UInt8] {
    let number = try request.number(0)
    let row = try request.optionalNumber("row")
    let key = request.query["key"]
    let className = request.query["class"]
    if row == nil && key == nil { throw StudioFault(400, "Either 'row' or 'key' is needed.") }
    let query = try await query(request, session)
    let cache = try await session.runOnQueue { try $0.views.view(number).besideRows }
    @Sendable func wanted(_ snapshot: Snapshot) throws -> Int? {
      if let row { return className?.isExactly(query.className) ?? true ? row : nil }
      do {
        return try query.reader(in: snapshot).row(key: key ?? "")
      } catch let error as UsageError {
        throw StudioFault(422, error.message)
      }
    }
    let position: Int?
    if let cache {
      position = try await session.runBeside(limit: StudioSession.queryLimit) { version in
        guard let row = try wanted(version.snapshot) else { return nil }
        return try cache.rows(version.snapshot).firstIndex(of: row)
      }
    } else {
      position = try await session.runOnQueue { file in
        guard let row = try wanted(file.numbered.realm.storedVersion) else { return nil }
        return try file.views.view(number).position(ofRow: row)
      }
    }
    return Array("{\"position\":\(position.map { String($0) } ?? "null")}".utf8)
  }

  private static func explain(_ request: StudioRequest, _ session: StudioSession) async throws -> [UInt8] {
    let query = try await query(request, session)
    return try await session.runBeside(limit: StudioSession.queryLimit) { version in
      var bytes: [UInt8] = []
      bytes.append("{\"text\":")
      bytes.appendJSON(try query.collection(in: version.numbered).explanation())
      bytes.append("}")
      return bytes
    }
  }

  /// The query of the view that the path names.
  static func query(_ request: StudioRequest, _ session: StudioSession) async throws -> StudioQuery {
    let number = try request.number(0)
    return try await session.runOnQueue { try $0.views.view(number).query }
  }
}

extension StudioRoute {
  private static let objects = [
    StudioRoute(.get, "object/*/*") { request, session in
      .json(try await readObject(request, session) { $0.json })
    },
    StudioRoute(.get, "object/*/*/incoming") { request, session in
      let (className, row) = (request.arguments[0], try request.number(1))
      return try await session.runBeside { version in
        // An object may have a million of links to it.
        let answer = IncomingReading(try ObjectReading(className, row, in: version.snapshot)).json
        try version.numbered.check()
        return .json(answer)
      }
    },
    StudioRoute(.get, "object/*/*/*") { request, session in
      let number = try request.number(2)
      let (start, count) = (try request.number("from", default: 0), try request.number("count", default: 100))
      return try await readObject(request, session) {
        try PropertyPages($0, number).reply(from: start, count: count, path: request.query["path"])
      }
    },
  ]

  private static func readObject<Answer: Sendable>(
    _ request: StudioRequest, _ session: StudioSession,
    _ body: @escaping @Sendable (ObjectReading) throws -> Answer
  ) async throws -> Answer {
    let row = try request.number(1)
    let className = request.arguments[0]
    return try await session.run { numbered in
      let answer = try body(ObjectReading(className, row, in: numbered.realm.storedVersion))
      try numbered.check()
      return answer
    }
  }
}
