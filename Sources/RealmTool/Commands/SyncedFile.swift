import Foundation
import RealmSwift
import Storage
import Sync

/// A synchronised file: `realm sync audit`, `resync`, `rejected`, and `status` of a file.
struct SyncedFile {
  let arguments: Arguments
  let console: Console
  let path: String
  let snapshot: Snapshot
  let record: SessionRecord
  let state: SessionState

  init(_ arguments: Arguments, _ console: Console) throws {
    (self.arguments, self.console) = (arguments, console)
    guard arguments.operands.count == 2 else {
      throw UsageError(
        "'\(arguments.operands[2])' is one argument too many: \(arguments.operands[0]) needs a file.")
    }
    path = arguments.operands[1]
    snapshot = try WritableFile.open(path, key: try KeyFile.read(.keyFile, arguments))
    guard let (record, state) = try SessionRecord.read(snapshot) else {
      throw ToolError(
        "'\(path)' is not synchronised: a program that opens it with a sync configuration does that.")
    }
    (self.record, self.state) = (record, state)
  }

  /// Whether an operand is a file, and not the address of a database.
  static func isFile(_ operand: String) -> Bool {
    !operand.contains("://") && (!operand.contains("=") || FileManager.default.fileExists(atPath: operand))
  }

  /// The database of the file: the one that is named, or the one that the program of the file has used last.
  func server() throws -> SyncServer {
    guard let address = arguments[SyncOptions.url] ?? (record.address.isEmpty ? nil : record.address) else {
      throw ToolError("'\(path)' does not say where its database is: name it with --url URL.")
    }
    return try SyncServer(address, arguments, console)
  }

  /// Makes a client of the database for the file.
  ///
  /// - Parameter installed: The classes of the server; nil to read the file only.
  func client(_ installed: InstalledSchema?) throws -> SyncClient {
    let names = state.synced.filter { !$0.value.isEmpty }.keys.sorted()
    let counters = (installed?.properties ?? []).filter(\.isCounter).map {
      PropertyName($0.className, $0.name)
    }
    let model = try SyncModel.read(snapshot.catalogue, classes: names, counters: Set(counters))
    let client = try explaining {
      try SyncClient(
        snapshot.file, model, schema: installed?.schema ?? "", time: { SyncClock.systemMilliseconds() },
        report: { _ in })
    }
    return client
  }

  private func connectedClient() throws -> SyncClient {
    let server = try server()
    let connection = try server.connect()
    let client = try client(server.installed(connection))
    try checkRole(connection)
    client.connection = connection
    try explaining { try client.contact() }
    return client
  }

  /// Verifies that the role of the connection is the one with which the program of the file has registered: another role sees other
  /// objects, which the file would get.
  private func checkRole(_ connection: PostgresConnection) throws {
    let role = try connection.run("select current_user")[0].text(0) ?? ""
    let found = try connection.run(
      "select owner from realm.client where id = $1::int and token = nullif($2, '')::uuid",
      [.text(String(state.client)), .text(state.token)])
    guard let owner = found.first?.text(0) else {
      throw ToolError(
        "the role \(role) does not find the registration of '\(path)': use the role of its program. If that is \(role), let the "
          + "program synchronise the file first.")
    }
    guard owner == role else {
      throw ToolError(
        "'\(path)' is registered by the role \(owner), and the URL has the role \(role), which may see other objects. "
          + "Use the role \(owner).")
    }
  }

  @discardableResult
  private func explaining<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let problem as SyncProblem {
      throw ToolError(problem.description)
    }
  }

  // MARK: Commands

  /// Compares the file with the database, and repairs what differs.
  func audit() throws -> ExitStatus {
    let client = try connectedClient()
    defer { client.disconnect() }
    let start = ContinuousClock.now
    let findings = try repeating { try explaining { try client.audit() } }
    let seconds = Numbers.fixed((ContinuousClock.now - start) / .seconds(1), 1)
    let result =
      findings.differences == 0
      ? "no differences" : "\(Numbers.count(findings.differences, "difference")), repaired"
    try console.print("\(Numbers.count(findings.objects, "object")) compared in \(seconds) s: \(result)")
    return findings.differences == 0 ? .success : .nothingFound
  }

  /// Receives all objects again.
  func resync() throws {
    let client = try connectedClient()
    defer { client.disconnect() }
    client.requestFullPull()
    let counts = try repeating {
      try explaining { try client.pull() }
      return client.isPullApplied ? client.facts.lastPullCounts : nil
    }
    try client.noteWaiting()
    try console.print(
      "\(Numbers.count(counts.read, "object")) read again; \(Numbers.separated(counts.changed)) differed; "
        + "\(Numbers.count(client.facts.waiting, "waiting change")) kept")
  }

  /// Repeats what was dropped because the program of the file has synchronised it at the same time.
  private func repeating<Result>(_ body: () throws -> Result?) throws -> Result {
    for _ in 0..<10 {
      if let result = try body() { return result }
      sleep(1)
    }
    throw ToolError(
      "The database lags behind what the file has, or a program synchronises the file all the time.")
  }

  /// Lists the objects that the server has refused, the oldest first.
  func rejected() throws {
    let rejections = try NotedRejection.read(snapshot)
    if arguments.has(SyncOptions.lines) {
      for rejection in rejections { try console.output.write(line(rejection.object) + [UInt8(ascii: "\n")]) }
      return
    }
    if rejections.isEmpty { return try console.print("No object was rejected.") }
    for rejection in rejections {
      let object = rejection.object
      let (state, message) = reason(object)
      try console.print(
        "\(object.className) \(ValueText.text(object.key, snapshot))  \(state ?? "denied")  \(message)")
    }
  }

  private func reason(_ object: RejectedObject) -> (state: String?, message: String) {
    if case .rejected(let state, let message) = object.reason { return (state, message) }
    return (nil, "The role may not write the object, or a trigger has left it out.")
  }

  private func line(_ object: RejectedObject) -> [UInt8] {
    let text = JSONText(snapshot)
    let (state, message) = reason(object)
    var bytes = Array("{\"class\":".utf8)
    bytes.appendJSON(object.className)
    bytes += ",\"key\":".utf8
    text.append(plain: object.key, to: &bytes)
    bytes += ",\"sqlstate\":".utf8
    if let state { bytes.appendJSON(state) } else { bytes += "null".utf8 }
    bytes += ",\"message\":".utf8
    bytes.appendJSON(message)
    bytes += ",\"values\":{".utf8
    let values = object.values.sorted { $0.key < $1.key }
    let elements = object.elements.sorted { $0.key < $1.key }.map { (key: $0, value: $1.value) }
    bytes.appendJSONMembers((values + elements).map { (key: $0.key, value: json($0.value, text)) })
    return bytes + Array("}}".utf8)
  }

  /// A value as JSON: an array for a list or a set, an object for a map or an embedded object, the key for a link that has one.
  private func json(_ value: Value, _ text: JSONText) -> [UInt8] {
    func plain(_ value: Value) -> [UInt8] {
      var bytes: [UInt8] = []
      text.append(plain: value, to: &bytes)
      return bytes
    }
    return value.converted { part in
      if let linked = part.linkedObject { return plain(linked.key) }
      return part.unreadableReason == nil ? nil : plain(.null)
    } single: {
      plain($0)
    } list: { elements in
      Array("[".utf8) + elements.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
    } dictionary: { keys, values in
      var bytes = Array("{".utf8)
      bytes.appendJSONMembers(zip(keys, values).map { (key: $0, value: $1) })
      return bytes + Array("}".utf8)
    }
  }
}

extension RejectedElements {
  /// A list, or a dictionary for a map.
  fileprivate var value: Value {
    guard let keys else { return .list(values.map(\.value)) }
    return .dictionary(zip(keys, values).map { .init(key: $0, value: $1.value) })
  }
}

extension [UInt8] {
  /// Appends the members of a JSON object, whose values are JSON already.
  fileprivate mutating func appendJSONMembers(_ members: [(key: String, value: [UInt8])]) {
    for (index, member) in members.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      appendJSON(member.key)
      append(UInt8(ascii: ":"))
      self += member.value
    }
  }
}
