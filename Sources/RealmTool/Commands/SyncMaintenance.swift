import Sync

/// What the owner of a database for synchronised realms sees of it and does to it.
struct SyncMaintenance {
  private let arguments: Arguments
  private let console: Console
  private let server: SyncServer
  private let connection: PostgresConnection

  init(_ arguments: Arguments, _ console: Console) throws {
    (self.arguments, self.console) = (arguments, console)
    guard arguments.operands.count == 2 else {
      throw UsageError(
        "'\(arguments.operands[2])' is one argument too many: \(arguments.operands[0]) needs a URL.")
    }
    server = try SyncServer(arguments.operands[1], arguments, console)
    connection = try server.connect()
    _ = try server.installed(connection)
  }

  /// Lists the clients: what of them has arrived, and when they were seen last.
  func status() throws {
    let clients = try connection.run(
      """
      select id, owner, applied, greatest(extract(epoch from now() - seen), 0)::bigint, lag, lag_max
        from realm.client order by id
      """)
    if clients.isEmpty { return try console.print("No client has registered.") }
    for client in clients {
      let silence = Int(try client.integer(3) ?? 0)
      let name = "id \(client.text(0) ?? "") \(client.text(1) ?? "")"
      if silence >= 86_400 {
        try console.print("\(name)  not seen for \(Self.age(silence))")
        continue
      }
      let lag = client.text(4).map { "  lag \($0) ms (max \(client.text(5) ?? ""))" } ?? ""
      try console.print(
        "\(name)  applied \(client.text(2) ?? "")  seen \(Self.age(silence)) ago\(lag)")
    }
  }

  static func age(_ seconds: Int) -> String {
    switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) days"
    }
  }

  /// Removes departures that no client needs, and names the clients that will be audited.
  func collect() throws {
    let days = arguments.number(SyncOptions.older) ?? 60
    try connection.run("begin")
    let removed = try connection.run(
      "select realm.collect(make_interval(days => $1::int))", [.text("\(days)")])[0].integer(0)
    let late = try connection.run(
      """
      select owner from realm.client c, realm.server s
        where coalesce(pg_snapshot_xmin(c.cursor), '0') < s.horizon order by c.id
      """)
    try connection.commit()
    let names = late.compactMap { $0.text(0) }
    let audits =
      names.isEmpty
      ? "" : "; \(Numbers.count(names.count, "client")) will be audited: \(RealmFile.listed(names))"
    try console.print("\(Numbers.count(Int(removed ?? 0), "departure")) removed\(audits)")
  }

  /// Gives a restored database a history of its own.
  func rehistory() throws {
    let changed = try connection.run("select realm.rehistory()")[0].integer(0)
    try console.print(
      "\(Numbers.count(Int(changed ?? 0), "row")) restamped; clients will be audited when they come")
  }
}
