import RealmSwift
import Storage

extension StudioRoute {
  /// The routes that read all objects of a view, beside the queue of the session.
  static let computations = [
    StudioRoute(.get, "view/*/summary") { request, session in
      let number = try request.number("property")
      return try await compute(request, session) { try ColumnSummary($0, number).json }
    },
    StudioRoute(.get, "view/*/groups") { request, session in
      let number = try request.number("by")
      let of = try request.optionalNumber("of")
      let limit = try request.number("limit", default: 200)
      let aggregate = try ViewGroups.Aggregate(request.query["aggregate"] ?? "count", of: of)
      let name = request.query["part"]
      let part = name.flatMap { ViewGroups.Part(rawValue: $0) }
      if let name, !name.isEmpty, part == nil {
        throw StudioFault(400, "There is no part '\(name)' of a date.")
      }
      return try await compute(request, session) {
        try ViewGroups($0, by: number, part, aggregate).json(limit: limit)
      }
    },
    StudioRoute(.get, "view/*/points") { request, session in
      let limit = min(try request.number("limit", default: 5000), 100_000)
      let source: ViewPoints.Source =
        request.query["point"] == nil
        ? .properties(x: try request.number("x"), y: try request.number("y"))
        : .point(try request.number("point"))
      return try await compute(request, session) { try ViewPoints($0, source).json(limit: limit) }
    },
    StudioRoute(.get, "view/*/export") { request, session in try await export(request, session) },
    StudioRoute(.get, "complete") { request, session in
      let className = request.query["class"] ?? ""
      let text = request.query["text"] ?? ""
      let position = try request.number("position", default: text.utf16.count)
      return try await session.runBeside { version in
        let reader = try StudioQuery(className: className).reader(in: version.snapshot)
        return .json(QueryCompletion(reader, text, position: position).json)
      }
    },
  ]

  private static func compute(
    _ request: StudioRequest, _ session: StudioSession,
    _ body: @escaping @Sendable (RowScan) throws -> [UInt8]
  ) async throws -> StudioReply {
    let query = try await query(request, session)
    return try await session.runBeside { version in
      let answer = try body(try RowScan(query, version.snapshot))
      try version.numbered.check()
      return .json(answer)
    }
  }

  /// A name that is allowed everywhere.
  static func fileName(_ name: String) -> String {
    let plain = name.unicodeScalars.map { scalar in
      scalar.isPartOfWord || "- ".unicodeScalars.contains(scalar) ? scalar : "_"
    }
    return String(String.UnicodeScalarView(plain))
  }

  private static func export(_ request: StudioRequest, _ session: StudioSession) async throws -> StudioReply {
    let name = request.query["format"] ?? "csv"
    let types = [
      "csv": "text/csv; charset=utf-8", "json": "application/json", "jsonl": "application/x-ndjson",
    ]
    guard let type = types[name], let format = RecordFormat(rawValue: name) else {
      throw StudioFault(400, "There is no format '\(name)' for an export.")
    }
    let query = try await query(request, session)
    let export = try await session.runBeside { try ViewExport(query, format, $0) }
    return .stream(type: type, fileName: fileName(query.className) + ".\(name)") { try export.piece() }
  }
}
