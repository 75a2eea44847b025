import Storage
import Sync
import TestSupport

/// Files with roles and subscriptions that change, an SQL program, and a server: random work, with connections that are cut at
/// every step, and clients that are killed. The same seed repeats a simulation, as far as the server's clock allows.
final class SubscriptionSimulation {
  typealias Failure = Simulation.Failure

  private var random: SeededGenerator
  private let server: SubscribedServer
  private let change: (String) -> String
  private let files: [SubscribedFile]
  private static let roles = [nil, "ada", "kim", "ada"]
  private var trace: [String] = []

  /// - Parameters:
  ///   - server: The database, in which the class is installed anew.
  ///   - change: Changes the clients' statements: the identity, or a mutant.
  init(
    seed: UInt64, server: SubscribedServer, change: @escaping (String) -> String = { $0 }
  ) throws {
    random = SeededGenerator(seed: seed)
    self.server = server
    self.change = change
    try server.outsider.install(SubscribedModel.make())
    try SubscribedModel.allowRoles(server.outsider)
    files = try Self.roles.map { try SubscribedFile(server.settings(of: $0), []) }
    for number in files.indices { try subscribe(number) }
  }

  /// - Throws: `Failure`, with the last events.
  func run(steps: Int) throws {
    do {
      for step in 0..<steps {
        let number = files.indices.randomElement(using: &random)!
        switch Int.random(in: 0..<100, using: &random) {
        case ..<40: try work(number)
        case ..<52: try workOutside()
        case ..<56:
          trace.append("\(number): restarts")
          try files[number].restart()
        case ..<60: try subscribe(number)
        case ..<80: try transfer(number) { _ = try $0.push() }
        default: try transfer(number) { _ = try $0.pull() }
        }
        if step == steps / 2 { try settle() }
      }
      try settle()
    } catch {
      throw Failure(description: "\(error)\n\(trace.suffix(80).joined(separator: "\n"))")
    }
  }

  private func subscribe(_ number: Int) throws {
    let samples: [SampleSubscription] = [
      .color("red"), .color("blue"), .firstKeys, .ownerless, .neitherRedNorOfB,
    ]
    let subscriptions: [SampleSubscription]? =
      switch Int.random(in: 0..<8, using: &random) {
      case 0: []
      case 1: nil
      case 2: [.all]
      default: Array(samples.shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random)))
      }
    trace.append(
      "\(number): subscribes to \(subscriptions.map { "\($0.map(\.condition))" } ?? "everything")")
    try files[number].subscribe(subscriptions)
  }

  private func color() -> String { ["red", "blue", "reddish", ""].randomElement(using: &random)! }
  private func owner() -> String? { ["a", "b", "c", nil].randomElement(using: &random)! }
  private func key() -> Int64 { Int64.random(in: 1...12, using: &random) }

  private func work(_ number: Int) throws {
    let (file, key) = (files[number], key())
    try file.writer.advance()
    guard file.row(key) != nil else {
      let (color, owner) = (color(), owner())
      trace.append("\(number): creates \(key) \(color) \(owner ?? "-")")
      return try file.put(
        key, color: color, owner: owner, name: "\(UInt16.random(in: 0 ... .max, using: &random))")
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      trace.append("\(number): deletes \(key)")
      try file.delete(key)
    case 1, 2:
      let color = color()
      trace.append("\(number): colours \(key) \(color)")
      try file.put(key, color: color)
    case 3:
      let owner = owner()
      trace.append("\(number): gives \(key) to \(owner ?? "-")")
      try file.put(key, owner: owner)
    default:
      trace.append("\(number): names \(key)")
      try file.put(key, name: "\(UInt16.random(in: 0 ... .max, using: &random))")
    }
  }

  private func workOutside() throws {
    let owner = owner().map { "'\($0)'" } ?? "null"
    let statement =
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        "insert into app.\"Dog\" (id, color, owner) values (\(key()), '\(color())', \(owner)) on conflict do nothing"
      case 1: "delete from app.\"Dog\" where id = \(key())"
      case 2: "update app.\"Dog\" set owner = \(owner) where id = \(key())"
      case 3: "update app.\"Dog\" set color = '\(color())' where id between \(key()) and \(key())"
      default: "update app.\"Dog\" set name = name || 'x' where id = \(key())"
      }
    trace.append("outside: \(statement)")
    try server.outsider.runScript(statement)
  }

  private func transfer(
    _ number: Int, isCut: Bool = true, _ body: (SyncClient) throws -> Void
  )
    throws
  {
    let client = files[number].client!
    do {
      if client.connection == nil || isCut && Bool.random(using: &random) {
        client.disconnect()
        let isCut = isCut && Int.random(in: 0..<3, using: &random) > 0
        client.connection = CuttingConnection(
          try PostgresConnection(server.settings(of: Self.roles[number])),
          cut: isCut
            ? CuttingConnection.Cut(
              steps: Int.random(in: 0..<20, using: &random),
              losesAnswer: Bool.random(using: &random)) : nil,
          change: change)
        try client.contact()
      }
      try body(client)
      trace.append("\(number): transfers")
    } catch let error as PostgresError {
      trace.append("\(number): transfer fails: \(error.message)")
      guard error.isConnectionLost || error.kind == .retry else { throw error }
      if error.isConnectionLost { client.disconnect() }
    }
  }

  /// Lets everything arrive everywhere, and verifies that each file has what its role sees and its subscriptions select.
  private func settle() throws {
    trace.append("settles")
    for file in files { file.client.disconnect() }
    for _ in 0..<3 {
      for number in files.indices {
        for attempt in 0... {
          var isSent = false
          try transfer(number, isCut: false) { isSent = try !$0.push() }
          if isSent { break }
          if attempt == 50 {
            throw Failure(description: "\(number) does not come to an end with sending")
          }
        }
        try transfer(number, isCut: false) { _ = try $0.pull() }
      }
    }
    for number in files.indices { try check(number) }
    for (number, file) in files.enumerated() {
      file.client.requestFullPull()
      var hasChanged = false
      try transfer(number, isCut: false) { hasChanged = try $0.pull() }
      if hasChanged {
        throw Failure(description: "\(number) learns something from reading everything again")
      }
      if try file.client.push() {
        throw Failure(description: "\(number) has something left to send")
      }
    }
  }

  private func check(_ number: Int) throws {
    let connection = try PostgresConnection(server.settings(of: Self.roles[number]))
    var expected: [Int64: [Value]] = [:]
    try connection.copyOut(
      "copy (select id, color, owner, name from app.\"Dog\") to stdout (format binary)",
      [.bigint, .text, .text, .text]
    ) { dog in
      if case .int(let key) = dog[0], files[number].selects(dog) { expected[key] = dog }
    }
    let found = try files[number].dogs()
    if let key = Set(expected.keys).union(found.keys).first(where: { expected[$0] != found[$0] }) {
      throw Failure(
        description:
          "\(number) differs in \(key): server \(expected[key] ?? []), here \(found[key] ?? [])")
    }
    let applied = try SubscriptionSelection.applied(in: files[number].writer)
    let wanted = try SubscriptionList.read(files[number].writer)
    if (applied?.version ?? 0) != (wanted?.version ?? 0) {
      throw Failure(description: "\(number) has not applied its subscriptions")
    }
  }
}
