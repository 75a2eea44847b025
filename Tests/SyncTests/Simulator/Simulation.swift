import Storage
import Sync
import TestSupport

/// Several files, an SQL program, and a server: random work, with connections that are cut at every step, clocks that are wrong,
/// and clients that are killed. The same seed repeats a simulation, as far as the server's clock allows.
final class Simulation {
  /// A rule that the simulation has found broken.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  var random: SeededGenerator
  private let server: SimulatedServer
  var model: SyncModel { server.model }
  let kinds: [any SimulatedKind]
  private(set) var files: [SimulatedFile] = []
  /// The connection of the SQL program.
  var outsider: PostgresConnection { server.outsider }
  private var isOutsiderOpen = false
  /// What was ever written to the register, with its stamp.
  var register = FileWrites<(stamp: UInt64, value: String)>()
  /// Values of the chain that another value was written over by a client that had seen them.
  var overwritten = FileWrites<String>()
  private var trace: [String] = []

  static let mostFiles = 6
  private static let traceLength = 60
  private static let register = Value.int(101)
  private static let chain = Value.int(102)
  private static let pair = (Value.int(103), Value.int(104))

  /// - Parameter kinds: Those of the server, with nothing noted yet.
  init(seed: UInt64, server: SimulatedServer, kinds: [any SimulatedKind]) throws {
    random = SeededGenerator(seed: seed)
    self.server = server
    self.kinds = kinds
    try server.begin(kinds)
    for number in 0..<3 {
      let skew = [0, -86_400_000, 86_400_000, Int64.random(in: -3000...3000, using: &random)]
        .randomElement(using: &random)!
      add(try SimulatedFile(number: number, skew: skew, kinds: kinds))
    }
  }

  func add(_ file: SimulatedFile) {
    file.noteRejected = { [unowned self, unowned file] rejected in
      for kind in self.kinds { kind.note(rejected, in: file) }
    }
    files.append(file)
  }

  /// - Throws: `Failure`, with the last events.
  func run(steps: Int) throws {
    do {
      for step in 0..<steps {
        let file = files.randomElement(using: &random)!
        switch Int.random(in: 0..<100, using: &random) {
        case ..<45: try work(file)
        case ..<55: try workOutside()
        case ..<56: try restart(file)
        case ..<58: try copy(file)
        case ..<78: try transfer(file) { _ = try $0.push() }
        default: try transfer(file) { _ = try $0.pull() }
        }
        if step == steps / 2 { try settle() }
      }
      try settle()
      for file in files { file.client.disconnect() }
    } catch {
      throw Failure(description: "\(error)\n\(trace.suffix(Self.traceLength).joined(separator: "\n"))")
    }
  }

  /// Adds an event to what a failure prints.
  func note(_ text: String) { trace.append(text) }

  /// Returns the failure of a rule.
  func fail(_ text: String) -> Failure { Failure(description: text) }

  // MARK: Events

  /// Returns a text that was not there before.
  func text() -> String { "v\(UInt32.random(in: 0 ... .max, using: &random))" }

  private func work(_ file: SimulatedFile) throws {
    note("\(file.number): writes")
    if let kind = randomKind() { return try kind.work(file, self) }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: try writeRegister(file)
    case 1: try writeChain(file)
    case 2: try writePair(file)
    case 3, 4: try workOnTags(file)
    default: try workOnDogs(file)
    }
  }

  /// Returns one of the kinds in two of three cases, if there are any.
  private func randomKind() -> (any SimulatedKind)? {
    if kinds.isEmpty || Int.random(in: 0..<3, using: &random) == 0 { return nil }
    return kinds.randomElement(using: &random)
  }

  private func writeRegister(_ file: SimulatedFile) throws {
    try file.writer.advance()
    guard file.row(SimulatedModel.dog, Self.register) != nil else { return }
    let value = text()
    let stamp = try file.write {
      if let row = file.row(SimulatedModel.dog, Self.register) {
        $0.table(SimulatedModel.dog).setString(1, row, value)
      }
    }
    register.note((stamp, value), in: file)
  }

  private func writeChain(_ file: SimulatedFile) throws {
    let value = text()
    var former: String?
    try file.write { snapshot in
      guard let row = file.row(SimulatedModel.dog, Self.chain) else { return }
      former = snapshot.table(SimulatedModel.dog).string(1, row)
      snapshot.table(SimulatedModel.dog).setString(1, row, value)
    }
    if let former { overwritten.note(former, in: file) }
  }

  private func writePair(_ file: SimulatedFile) throws {
    let age = Int64.random(in: 0..<1000, using: &random)
    try file.write { snapshot in
      let rows = [Self.pair.0, Self.pair.1].map { file.row(SimulatedModel.dog, $0) }
      for case let row? in rows where !rows.contains(nil) {
        snapshot.table(SimulatedModel.dog).setInteger(2, row, age)
      }
    }
  }

  private func workOnDogs(_ file: SimulatedFile) throws {
    let count = Int.random(in: 1...3, using: &random)
    try file.write { snapshot in
      for _ in 0..<count { workOnDog(file, snapshot) }
    }
  }

  private func workOnDog(_ file: SimulatedFile, _ snapshot: Snapshot) {
    let table = snapshot.table(SimulatedModel.dog)
    let key = Int64.random(in: 1...12, using: &random)
    let isWild = Int.random(in: 0..<16, using: &random) == 0
    guard let row = file.row(SimulatedModel.dog, .int(key)) else {
      let row = table.insertRow()
      table.setInteger(0, row, key)
      table.setString(1, row, text())
      table.setInteger(2, row, isWild ? 5000 : 7)
      return
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      table.deleteRow(row)
      if Bool.random(using: &random) {
        let row = table.insertRow()
        table.setInteger(0, row, key)
        table.setString(1, row, text())
        table.setInteger(2, row, 8)
      }
    case 1: table.deleteRow(row)
    case 2, 3: table.setInteger(2, row, isWild ? 2000 : Int64.random(in: 0..<100, using: &random))
    case 4: table.setNull(3, row)
    case 5: table.setString(3, row, isWild ? "a\0b" : text())
    default: table.setString(1, row, text())
    }
  }

  private func workOnTags(_ file: SimulatedFile) throws {
    let name = ["a", "it's", "\u{e9}", "e\u{301}"].randomElement(using: &random)!
    try file.write { snapshot in
      let table = snapshot.table(SimulatedModel.tag)
      guard let row = file.row(SimulatedModel.tag, .string(name)) else {
        let row = table.insertRow()
        table.setString(0, row, name)
        return
      }
      switch Int.random(in: 0..<5, using: &random) {
      case 0: table.deleteRow(row)
      case 1: table.setNull(1, row)
      case 2: table.setDouble(2, row, Double.random(in: -1e9...1e9, using: &random))
      default: table.setInteger(1, row, .random(in: .min ... .max, using: &random))
      }
    }
  }

  private func workOutside() throws {
    if isOutsiderOpen, Int.random(in: 0..<3, using: &random) == 0 { return try closeOutsider() }
    if !isOutsiderOpen { try outsider.run("begin") }
    isOutsiderOpen = true
    let statement = randomKind()?.statement(self) ?? statement()
    note("outside: \(statement)")
    do {
      try outsider.run(statement)
    } catch {
      if error.kind != .retry { throw error }
      try outsider.rollback()
      endStatements(isCommitted: false)
    }
  }

  private func statement() -> String {
    let key = Int.random(in: 1...12, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return "insert into app.\"Dog\" (id, name) values (\(key), '\(text())') on conflict do nothing"
    case 1: return "delete from app.\"Dog\" where id = \(key)"
    case 2: return "update app.\"Dog\" set age = age + 1 where id < 100 and age < 900"
    case 3:
      return
        "insert into app.\"Tag\" (name, count) values ('a', 1) on conflict (name) do update set count = 2"
    default: return "update app.\"Dog\" set name = '\(text())', nick = null where id = \(key)"
    }
  }

  private func closeOutsider() throws {
    note("outside: ends")
    let isCommitted = Int.random(in: 0..<5, using: &random) > 0
    try outsider.run(isCommitted ? "commit" : "rollback")
    endStatements(isCommitted: isCommitted)
  }

  private func endStatements(isCommitted: Bool) {
    isOutsiderOpen = false
    for kind in kinds { kind.endStatements(isCommitted: isCommitted) }
  }

  private func restart(_ file: SimulatedFile) throws {
    if Bool.random(using: &random) {
      let isLeaving = file.leftOut == nil && Bool.random(using: &random)
      return try restart(file, leavingOut: isLeaving ? randomKind()?.classToLeaveOut : nil)
    }
    let version = file.file.newestVersion
    try file.cutPower()
    let durable = file.file.newestVersion
    note("\(file.number): power cut, back from version \(version) to \(durable)")
    file.forgetBackup(after: durable)
    register.forget(file, after: durable)
    overwritten.forget(file, after: durable)
    for kind in kinds { kind.forget(file, after: durable) }
  }

  private func restart(_ file: SimulatedFile, leavingOut name: String?) throws {
    note("\(file.number): restarts" + (name.map { " without \($0)" } ?? ""))
    try file.restart(leavingOut: name)
  }

  private func transfer(
    _ file: SimulatedFile, isCut: Bool = true, _ body: (SyncClient) throws -> Void
  ) throws {
    do {
      if file.client.connection == nil || isCut && Bool.random(using: &random) {
        try connect(file, isCut: isCut)
      }
      try body(file.client)
      note("\(file.number): transfers")
    } catch let error as PostgresError {
      note("\(file.number): transfer fails: \(error.message)")
      guard error.isConnectionLost || error.kind == .retry else { throw error }
      if error.isConnectionLost { file.client.disconnect() }
    }
    try checkPair(file)
  }

  private func connect(_ file: SimulatedFile, isCut: Bool) throws {
    file.client.disconnect()
    let cut =
      isCut && Int.random(in: 0..<3, using: &random) > 0
      ? CuttingConnection.Cut(
        steps: Int.random(in: 0..<30, using: &random), losesAnswer: Bool.random(using: &random)) : nil
    file.client.connection = try server.connect(cut: cut)
    try file.client.contact()
  }

  // MARK: Rules

  /// No observer sees half of a transaction of another file.
  private func checkPair(_ file: SimulatedFile) throws {
    let dogs = try file.objects(SimulatedModel.dog)
    let ages = [Self.pair.0, Self.pair.1].map { dogs[ExactValue($0)]?[1] }
    if ages[0] != ages[1] { throw fail("\(file.number) sees half of a transaction: \(ages)") }
  }

  /// Lets everything arrive everywhere, and verifies that all are alike.
  private func settle() throws {
    note("settles")
    if isOutsiderOpen { try closeOutsider() }
    for file in files {
      file.client.disconnect()
      if file.leftOut != nil { try restart(file, leavingOut: nil) }
    }
    for _ in 0..<2 {
      for file in files {
        for attempt in 0... {
          var isSent = false
          try transfer(file, isCut: false) { isSent = try !$0.push() }
          if isSent { break }
          if attempt == 50 { throw fail("\(file.number) does not come to an end with sending") }
        }
        for attempt in 0... {
          // The first one may only find that a copy has taken over the registration.
          try transfer(file, isCut: false) { _ = try $0.pull() }
          if file.client.isPullApplied { break }
          if attempt == 50 { throw fail("\(file.number) does not come to an end with receiving") }
        }
      }
    }
    for file in files { try checkLikeServer(file) }
    try checkHistory()
    for kind in kinds { try kind.check(self) }
    for file in files {
      file.client.requestFullPull()
      var hasChanged = false
      try transfer(file, isCut: false) { hasChanged = try $0.pull() }
      if hasChanged { throw fail("\(file.number) learns something from reading everything again") }
      if try file.client.push() { throw fail("\(file.number) has something left to send") }
    }
  }

  /// Returns the objects that the server has of a class, by their keys.
  func serverObjects(_ syncClass: SyncClass) throws -> [ExactValue: [ExactValue]] {
    let properties = [syncClass.key] + syncClass.properties
    let names = properties.map { SQLText.identifier($0.name) }.joined(separator: ", ")
    var objects: [ExactValue: [ExactValue]] = [:]
    let table = ServerNames(schema: "app", className: syncClass.name).table
    try outsider.copyOut(
      "copy (select \(names) from \(table)) to stdout (format binary)", properties.map(\.type)
    ) { values in
      objects[ExactValue(values[0])] = values.dropFirst().map { ExactValue($0) }
    }
    return objects
  }

  private func checkLikeServer(_ file: SimulatedFile) throws {
    for (number, syncClass) in model.classes.enumerated() {
      let server = kinds.reduce(try serverObjects(syncClass)) { $1.visible($0, of: syncClass) }
      var here: [ExactValue: [ExactValue]]?
      for kind in kinds where here == nil { here = try kind.objects(of: syncClass, in: file) }
      try compare(server, here ?? file.objects(syncClass.table), file, number)
    }
  }

  private func compare(
    _ server: [ExactValue: [ExactValue]], _ here: [ExactValue: [ExactValue]], _ file: SimulatedFile,
    _ number: Int
  ) throws {
    if server == here { return }
    let keys = Set(server.keys).union(here.keys).filter { server[$0] != here[$0] }
    throw fail(
      "\(file.number) differs in class \(number): "
        + keys.prefix(3).map { "\($0.value): server \(server[$0] ?? []), here \(here[$0] ?? [])" }
        .joined(separator: "; "))
  }

  private func checkHistory() throws {
    let dogs = try serverObjects(model.classes[SimulatedModel.dog])
    let written = register.all.map { write in
      (stamp: write.corrected(write.content.stamp, self), value: write.content.value)
    }
    if let last = written.max(by: { $0.stamp < $1.stamp }) {
      let winners = written.filter { $0.stamp == last.stamp }.map { ExactValue(.string($0.value)) }
      guard let value = dogs[ExactValue(Self.register)]?[0], winners.contains(value) else {
        throw fail("the register is not what was written last: \(last)")
      }
    }
    guard case .string(let value)? = dogs[ExactValue(Self.chain)]?[0].value else {
      throw fail("the chain has been lost")
    }
    if overwritten.all.contains(where: { $0.content == value }) {
      throw fail("'\(value)' has come back after it was seen and overwritten")
    }
  }
}
