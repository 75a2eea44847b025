import Storage
import Sync

extension Command {
  static let sync = Command(
    name: "sync", summary: "prepare a PostgreSQL database for synchronised realms, and look after it",
    discussion: """
      init makes the tables and functions for the classes of a file; nothing is uploaded. push-schema adds classes and properties that \
      the database lacks, and replaces its functions and triggers if they are not those of this version. allow restricts a class to the objects for which SQL conditions hold: they use the key, the routing properties \
      and subqueries that do not refer to the object. status lists the clients of a database, or says whether a file is in step. audit \
      compares a file with the database and repairs what differs; the exit status is 1 when anything did. resync reads all objects again. \
      Both keep local changes. rejected lists the last objects of a file that the database has refused. collect removes departures (what is remembered of deleted \
      objects) that no client seen within --older days needs. rehistory prepares a database that was restored from a dump: all clients \
      are audited when they come.

      URL is a connection string of libpq: postgresql://role@host/database or keywords. The role owns the schemas; members of the role \
      realm_user may synchronise. The host's certificate is verified (sslmode=verify-full) unless it is this machine. With --print, \
      the SQL is written instead of executed, and init needs no URL.
      """,
    forms: SyncAction.allCases.map(\.form),
    operands: [
      Operand(.choice(SyncAction.allCases.map(\.rawValue)), "what to do"),
      Operand(
        .text("URL"), .atLeastOne,
        "the database, and for init and push-schema a Realm file behind it, for allow a class; for audit, resync, rejected and also status a Realm file"
      ),
    ],
    options: SyncOptions.all + [.keyFile],
    examples: [
      Example("realm sync init dogs.realm --print", "the SQL, to be executed by the owner of the database"),
      Example("realm sync init postgresql:///demo dogs.realm", "tables for all classes"),
      Example(
        "realm sync init postgresql:///demo dogs.realm --classes Dog,Person --routing Dog.owner --counter Dog.likes",
        "two classes; policies may use the owner of a dog"),
      Example("realm sync push-schema postgresql:///demo dogs.realm", "add what is new in the file"),
      Example(
        "realm sync allow postgresql:///demo Dog --read true --write \"owner = current_user\"",
        "all may read all dogs, and write their own ones"),
      Example("realm sync status postgresql:///demo", "the clients"),
      Example("realm sync audit dogs.realm", "compare a file with its database"),
    ]
  ) { arguments, console in
    guard let action = SyncAction(rawValue: arguments.operands[0]) else { return .wrongUse }
    try action.checkOptions(arguments)
    switch action {
    case .initialise: try SyncSetup(arguments, console).initialise()
    case .pushSchema: try SyncSetup(arguments, console).pushSchema()
    case .allow: try SyncPermission.allow(arguments, console)
    case .status where SyncedFile.isFile(arguments.operands[1]):
      try SyncedFile(arguments, console).status()
    case .status: try SyncMaintenance(arguments, console).status()
    case .audit: return try SyncedFile(arguments, console).audit()
    case .resync: try SyncedFile(arguments, console).resync()
    case .rejected: try SyncedFile(arguments, console).rejected()
    case .collect: try SyncMaintenance(arguments, console).collect()
    case .rehistory: try SyncMaintenance(arguments, console).rehistory()
    }
    return .success
  }
}

/// The options of `realm sync`.
enum SyncOptions {
  static let printing = CommandOption("--print", nil, "write the SQL instead of executing it")
  static let schema = CommandOption(
    "--schema", .text("NAME"), "the schema of the objects in a database that init prepares; app if left out")
  static let classes = CommandOption(
    "--classes", .text("NAMES"), "the classes, separated by commas; all that are not embedded if left out")
  static let counter = CommandOption(
    "--counter", .text("PROPERTIES"),
    "properties whose changes add up, as Class.property, separated by commas")
  static let routing = CommandOption(
    "--routing", .text("PROPERTIES"),
    "properties that policies and subscriptions may use, as Class.property, separated by commas")
  static let read = CommandOption(
    "--read", .text("CONDITION"), "for allow: the SQL condition for objects that a role may read")
  static let write = CommandOption(
    "--write", .text("CONDITION"), "for allow: the SQL condition for objects that a role may write")
  static let older = CommandOption(
    "--older", .number("DAYS"),
    "for collect: ignore clients that were not seen for so many days; 60 if left out")
  static let url = CommandOption(
    "--url", .text("URL"),
    "the database of a file, if it is not at the address that its program has used last")
  static let lines = CommandOption("--jsonl", nil, "for rejected: write each object as a line of JSON")
  static let insecure = CommandOption(
    "--allow-insecure", nil, "accept a connection string with a weaker sslmode than verify-full")

  static let all = [printing, schema, classes, counter, routing, read, write, older, url, lines, insecure]
}

/// A database named on the command line.
struct SyncServer {
  let settings: PostgresSettings

  init(_ text: String, _ arguments: Arguments, _ console: Console) throws {
    settings = try PostgresSettings(
      text, allowsInsecureConnection: arguments.has(SyncOptions.insecure), allowsPasswordInString: true)
    if settings.hadPasswordInString {
      console.note("The password on the command line can be seen by all users: use ~/.pgpass or PGPASSWORD.")
    }
  }

  func connect() throws -> PostgresConnection { try PostgresConnection(settings) }

  /// Reads what the database has.
  ///
  /// - Parameter hasRoutines: Whether the functions and triggers are read, too, which the owner of the database may do.
  /// - Throws: `ToolError` when it has not been prepared.
  func installed(
    _ connection: PostgresConnection, withRoutines hasRoutines: Bool = false
  ) throws -> InstalledSchema {
    guard let installed = try InstalledSchema.read(connection, withRoutines: hasRoutines) else {
      throw ToolError("\(settings) is not prepared for sync: realm sync init does that.")
    }
    guard installed.protocolVersion == ServerSchema.protocolVersion else {
      throw ToolError(
        "\(settings) has version \(installed.protocolVersion) of the sync functions, and this program needs "
          + "\(ServerSchema.protocolVersion).")
    }
    return installed
  }
}
