import Storage
import Sync

/// `realm sync init` and `realm sync push-schema`.
struct SyncSetup {
  private let arguments: Arguments
  private let console: Console
  private let server: SyncServer?
  private let model: SyncModel
  private let schema: String

  /// Reads the classes of the file.
  init(_ arguments: Arguments, _ console: Console) throws {
    (self.arguments, self.console) = (arguments, console)
    let places = arguments.operands.dropFirst()
    let needsServer = arguments.operands[0] != "init" || !arguments.has(SyncOptions.printing)
    guard places.count == 2 || places.count == 1 && !needsServer else {
      throw UsageError(
        places.count < 2
          ? "the file is missing: realm sync \(arguments.operands[0]) URL FILE."
          : "'\(places.last ?? "")' is one argument too many.")
    }
    server =
      places.count == 2 && needsServer ? try SyncServer(arguments.operands[1], arguments, console) : nil
    schema = arguments[SyncOptions.schema] ?? "app"
    if let reason = ServerSchema.refusal(ofSchema: schema) { throw UsageError(reason.description) }
    let file = try RealmFile(
      path: arguments.operands[arguments.operands.count - 1], key: try KeyFile.read(.keyFile, arguments))
    model = try SyncModel.read(
      file.catalogue, classes: arguments.list(SyncOptions.classes),
      counters: try Self.names(SyncOptions.counter, arguments),
      routing: try Self.names(SyncOptions.routing, arguments))
  }

  private static func names(_ option: CommandOption, _ arguments: Arguments) throws -> Set<PropertyName> {
    let texts = arguments.all(option).flatMap { $0.split(separator: ",") }.map { $0.trimmingSpaces() }
    return try Set(
      texts.map {
        guard let name = PropertyName($0) else {
          throw UsageError("\(option.name): '\($0)' is no property with its class, as in Dog.owner.")
        }
        return name
      })
  }

  /// Makes everything, or writes the SQL that does.
  func initialise() throws {
    let statements = ServerSchema(model, schema: schema).initialSQL()
    guard let server else { return try write(statements) }
    let connection = try server.connect()
    try connection.changeSchema {
      if try InstalledSchema.read(connection, withRoutines: false) != nil {
        throw ToolError("\(server.settings) is prepared for sync already: realm sync push-schema adds to it.")
      }
      for statement in statements { try connection.run(statement) }
    }
    let properties = model.classes.reduce(0) { $0 + 1 + $1.properties.count }
    func made(_ beginning: String) -> Int { statements.count { $0.hasPrefix(beginning) } }
    try console.print(
      "\(Numbers.count(model.classes.count, "class", "classes")), "
        + "\(Numbers.count(properties, "property", "properties")): "
        + "\(Numbers.count(made("create table"), "table")), "
        + "\(Numbers.count(made("create or replace function"), "function")) made. Nothing was uploaded.")
  }

  /// Adds what the server lacks and replaces functions and triggers of other versions, or writes the SQL that does.
  func pushSchema() throws {
    guard let server else { return }
    let connection = try server.connect()
    let isPrinting = arguments.has(SyncOptions.printing)
    let addition = try connection.changeSchema(isPrinting ? .rollback : .commit) {
      let addition = try SchemaAddition(model, to: server.installed(connection, withRoutines: true))
      if !isPrinting { for statement in addition.statements { try connection.run(statement) } }
      return addition
    }
    if isPrinting { return try write(addition.statements) }
    if addition.isEmpty { return try console.print("The server has all classes and properties.") }
    for (className, property) in addition.properties {
      try console.print("+ \(className).\(property.name) \(property.type.name)")
    }
    for (className, collection) in addition.collections {
      try console.print(
        "+ \(className).\(collection.name) \(collection.kindName) of \(collection.element.name)")
    }
    for item in addition.classes { try console.print("+ class \(item.name)") }
    if addition.replacesRoutines {
      try console.print("The functions and triggers were brought to the version of this program.")
    }
  }

  /// Writes statements as a script for psql.
  private func write(_ statements: [String]) throws {
    if statements.isEmpty { return }
    try console.output.write((["begin"] + statements + ["commit"]).map { $0 + ";\n" }.joined(separator: "\n"))
  }
}
