import Storage
import Sync
import TestSupport
import Testing

/// Transfers of lists that end at each of their statements, with what ends them: the network, the process, the power.
@Suite struct CutTransferTests {
  private typealias Model = ListedModel

  enum Fault: CaseIterable, Sendable {
    case lostConnection, restart, powerCut
  }

  /// Two files, and the notes of their person that were written and must be there once.
  private struct Pair {
    let server: ListedServer
    let first: ListedFile
    let second: ListedFile
    var notes: Set<String> = ["begin"]

    init() throws {
      server = try ListedServer()
      first = try ListedFile(server)
      second = try ListedFile(server)
      try first.edit { [first] _ in first.create(notes: ["begin"]) }
      for file in [first, second] { try file.transfer() }
    }

    /// Changes lists in both files, and sends what the second one has.
    mutating func edit(_ step: Int) throws {
      try first.edit { [first] people in
        people.appendElement(Model.notes, first.row(), .string("first \(step)"))
        people.insertElement(Model.notes, first.row(), at: 0, .string("front \(step)"))
        people.moveElement(Model.notes, first.row(), from: 0, to: 1)
        people.appendElement(Model.dogs, first.row(), first.link("dog \(step)"))
      }
      try second.edit { [second] people in
        people.appendElement(Model.notes, second.row(), .string("second \(step)"))
      }
      try second.transfer()
      notes.formUnion(["first \(step)", "front \(step)", "second \(step)"])
    }

    /// Transfers until the connection of the first file is cut. Returns whether it was.
    func transfer(_ cut: CuttingConnection.Cut) throws -> Bool {
      first.client.disconnect()
      do {
        first.client.connection = CuttingConnection(try PostgresConnection(server.settings), cut: cut) { $0 }
        try first.client.contact()
        while try first.client.push() {}
        try first.client.pull()
        return false
      } catch let error as PostgresError where error.isConnectionLost {
        return true
      }
    }

    /// Ends the client of the first file.
    mutating func end(_ fault: Fault, _ step: Int) throws {
      switch fault {
      case .lostConnection: first.client.disconnect()
      case .restart: try first.restart()
      case .powerCut:
        try first.cutPower()
        // A commit that was not durable yet may be lost, if the server has nothing of it either.
        if try !first.list(Model.notes).contains("first \(step)") {
          notes.subtract(["first \(step)", "front \(step)"])
        }
      }
    }
  }

  @Test(arguments: Fault.allCases, [false, true])
  func everyElementIsThereOnceWhereverATransferEnds(fault: Fault, losesAnswer: Bool) throws {
    var pair = try Pair()
    var step = 0
    var wasCut = true
    while wasCut {
      try pair.edit(step)
      wasCut = try pair.transfer(.init(steps: step, losesAnswer: losesAnswer))
      try pair.end(fault, step)
      for file in [pair.first, pair.second, pair.first] { try file.transfer() }
      let notes = try pair.server.list("notes")
      let comment: Comment = "statement \(step)"
      try #require(notes.count == pair.notes.count && Set(notes) == pair.notes, comment)
      for file in [pair.first, pair.second] {
        try #require(try file.list(Model.notes) == notes, comment)
        try #require(try file.list(Model.dogs) == pair.server.list("dogs"), comment)
        try #require(try !file.client.push(), comment)
      }
      step += 1
    }
    // Contact, push and pull have at least so many statements.
    #expect(step > 20)
  }

  /// Whatever the power cut takes from the file is received again, although the server forgets departures meanwhile.
  @Test func whatAPullBroughtComesAgainAfterAPowerCut() throws {
    // Transactions of other tests would keep departures.
    let server = try PostgresServer()
    let database = try server.makeDatabase(SimulatedModel.make())
    let outsider = try server.connect(database)
    let file = try SimulatedFile()
    file.settings = try server.settings(database)
    try outsider.runScript("insert into app.\"Dog\" (id, name) select n, 'dog' from generate_series(1, 20) n")
    try file.transfer()
    for round in 1...10 {
      try outsider.runScript(
        "delete from app.\"Dog\" where id = \(round); insert into app.\"Dog\" (id, name) values (\(100 + round), 'new')"
      )
      try file.pull()
      try file.client.reportCursor()
      try file.cutPower()
      try outsider.runScript("select realm.collect('\(round % 2) day')")
      try file.transfer()
      let expected = try outsider.run("select id || ' ' || name from app.\"Dog\"").map { $0.text(0) ?? "" }
      #expect(try file.dogs() == expected.sorted(), "round \(round)")
    }
  }
}
