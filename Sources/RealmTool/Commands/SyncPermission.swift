import Sync

/// `realm sync allow`: restricts a class to the objects for which conditions hold.
struct SyncPermission {
  private let connection: PostgresConnection
  private let item: SyncClass
  private let table: String
  private let statements: [String]

  /// Creates the policies, or writes the SQL that does. Nothing changes when a condition is refused.
  static func allow(_ arguments: Arguments, _ console: Console) throws {
    guard arguments.operands.count <= 3 else {
      throw UsageError("'\(arguments.operands[3])' is one argument too many: allow needs a URL and a class.")
    }
    guard let name = arguments.operand(2) else {
      throw UsageError("the class is missing: realm sync allow URL CLASS --read CONDITION --write CONDITION.")
    }
    guard let read = arguments[SyncOptions.read], let write = arguments[SyncOptions.write] else {
      throw UsageError("allow needs --read CONDITION and --write CONDITION; true allows everything.")
    }
    let isPrinting = arguments.has(SyncOptions.printing)
    let server = try SyncServer(arguments.operands[1], arguments, console)
    let connection = try server.connect()
    let statements = try connection.changeSchema(isPrinting ? .rollback : .commit) {
      let permission = try SyncPermission(name, server, connection, read: read, write: write)
      try permission.execute()
      return permission.statements
    }
    if isPrinting {
      return try console.output.write(
        (["begin"] + statements + ["commit"]).map { $0 + ";\n" }.joined(separator: "\n"))
    }
    let tables = statements.count { $0.hasSuffix("enable row level security") }
    try console.print(
      "policies on \(Numbers.count(tables, "table")); each client compares its file with the database when it receives next"
    )
  }

  private init(
    _ name: String, _ server: SyncServer, _ connection: PostgresConnection, read: String, write: String
  ) throws {
    self.connection = connection
    let installed = try server.installed(connection)
    guard let item = installed.serverClass(name) else {
      throw ToolError("\(server.settings) has no class '\(name)'.")
    }
    self.item = item
    table = ServerNames(schema: installed.schema, className: name).table
    statements = ServerSchema(SyncModel(classes: [item]), schema: installed.schema)
      .allow(item, read: read, write: write)
  }

  /// Creates the policies, and verifies that clients can use their conditions.
  private func execute() throws {
    do {
      for statement in statements { try connection.run(statement) }
      try checkColumns()
      try checkSubqueries()
    } catch let error as PostgresError where error.sqlState == "42703" {
      // The table of departures lacks the other properties.
      throw ToolError("\(error.message). \(usable)")
    }
  }

  private var usable: String {
    "Conditions of '\(item.name)' can use its key and its routing properties: "
      + ([item.key] + item.routing).map(\.name).joined(separator: ", ") + "."
  }

  /// Verifies that the policies use no columns of the row but the key and the routing properties.
  private func checkColumns() throws {
    let known = Set(([item.key] + item.routing).map(\.name))
    let used = try connection.run(
      """
      select distinct a.attname from pg_policy p
        join pg_depend d on d.classid = 'pg_policy'::regclass and d.objid = p.oid
        join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
        where d.refclassid = 'pg_class'::regclass and d.refobjid = p.polrelid and d.refobjsubid > 0
          and p.polrelid = \(SQLText.literal(table))::regclass order by 1
      """)
    if let other = used.compactMap({ $0.text(0) }).first(where: { !known.contains($0) }) {
      throw ToolError("A condition uses '\(other)'. \(usable)")
    }
  }

  /// Verifies that no subquery refers to the row: it would be executed for each row instead of once for each statement.
  private func checkSubqueries() throws {
    let trees = try connection.run(
      """
      select p.polqual::text, p.polwithcheck::text from pg_policy p
        where p.polrelid = \(SQLText.literal(table))::regclass
      """)
    let texts = trees.flatMap { [$0.text(0), $0.text(1)] }.compactMap { $0 }
    if texts.contains(where: { Self.hasOuterReference($0) }) {
      throw ToolError(
        "A subquery of a condition refers to the row, so that it would be executed for each row. Compare the property with "
          + "a subquery that does not, as in \(item.routing.first?.name ?? item.key.name) = any ((select …)::text[])."
      )
    }
  }

  /// Whether a parsed condition of PostgreSQL, as text, has a subquery with a column of the row.
  ///
  /// A node is written between braces, with its type in front. `varlevelsup` of a column says how many queries further out its
  /// table is; the row is further out than all of them.
  static func hasOuterReference(_ tree: String) -> Bool {
    var nodes: [Substring] = []
    for word in tree.split(separator: " ", omittingEmptySubsequences: true) {
      // A word is the beginning of a node, the end of several, or a name or a value of a field.
      if let brace = word.lastIndex(of: "{"), !word.contains("\\") {
        nodes.append(word[word.index(after: brace)...])
      }
      if nodes.last == "VAR-LEVEL", let level = Int(word.prefix { $0.isNumber }) {
        nodes.removeLast()
        let depth = nodes.count { $0 == "QUERY" }
        if level > 0 && level == depth { return true }
      }
      if word == ":varlevelsup" { nodes.append("VAR-LEVEL") }
      if !word.contains("\\") {
        for _ in 0..<min(word.count { $0 == "}" }, nodes.count) { nodes.removeLast() }
      }
    }
    return false
  }
}
