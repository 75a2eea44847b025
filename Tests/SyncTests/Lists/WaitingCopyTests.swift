import Storage
import Sync
import TestSupport
import Testing

/// Insertions into lists that wait while a file is copied: both files have them, and the server gets them once.
@Suite struct WaitingCopyTests {
  private typealias Model = ListedModel

  /// What meets the server first.
  enum First: CaseIterable {
    case original, copy
    /// The copy, after the original has given numbers to what waits.
    case copyOfNumbered
  }

  @Test(arguments: First.allCases) func waitingInsertionsAreSentOnce(first: First) throws {
    let server = try ListedServer()
    let original = try ListedFile(server)
    try original.edit { _ in original.create(notes: ["a", "b", "c"]) }
    try original.transfer()
    try original.edit { people in
      people.insertElement(Model.notes, original.row(), at: 1, .string("x"))
      people.appendElement(Model.notes, original.row(), .string("twice"))
      people.appendElement(Model.notes, original.row(), .string("twice"))
    }
    try original.edit { people in
      original.create(2, notes: ["p", "q"])
      for name in ["Rex", "Ada"] { people.appendElement(Model.dogs, original.row(), original.link(name)) }
      people.appendElement(Model.numbers, original.row(), .null)
    }
    let copy = try ListedFile(server, copyOf: original)
    if first == .copyOfNumbered { try original.pull() }
    for (file, name) in [(original, "of original"), (copy, "of copy")] {
      try file.edit { people in
        people.insertElement(Model.notes, file.row(), at: 0, .string(name))
        people.appendElement(Model.notes, file.row(2), .string(name))
      }
      try file.edit { $0.appendElement(Model.notes, file.row(), .string("last, " + name)) }
    }
    let files = first == .original ? [original, copy] : [copy, original]
    for _ in 0..<2 {
      for file in files { try file.transfer() }
    }
    let notes = try server.list("notes")
    #expect(
      notes.sorted() == [
        "a", "b", "c", "last, of copy", "last, of original", "of copy", "of original", "twice", "twice", "x",
      ])
    #expect(try server.list("notes", of: 2).sorted() == ["of copy", "of original", "p", "q"])
    #expect(try server.list("dogs") == ["Rex", "Ada"])
    #expect(try server.list("numbers") == ["-"])
    for file in files {
      #expect(try file.list(Model.notes) == notes)
      #expect(try file.list(Model.notes, of: 2) == server.list("notes", of: 2))
      #expect(try file.list(Model.dogs) == ["Rex", "Ada"] && file.list(Model.numbers) == ["-"])
      #expect(try !file.client.push() && file.rejected.isEmpty)
    }
    #expect(original.client.state.client != copy.client.state.client)
  }

  /// What has taken the registration over and has sent nothing loses it to the other file.
  @Test func aCopyThatIsKeptFromSendingKeepsNothingBack() throws {
    let server = try ListedServer()
    let original = try ListedFile(server)
    try original.edit { _ in original.create(notes: ["a"]) }
    try original.transfer()
    let dates: [Value] = [.date(0.123_456_7), .date(5)]
    try original.edit { people in
      people.appendElement(Model.notes, original.row(), .string("waits"))
      people.appendElement(Model.notes, original.row(), .string(String(repeating: "long", count: 30)))
      people.insertElements(Model.dates, original.row(), at: 0, dates)
    }
    let copy = try ListedFile(server, copyOf: original)
    try copy.connect()
    for file in [original, copy, original] { try file.transfer() }
    #expect(try server.list("notes").count == 3 && server.list("dates").count == 2)
    for file in [original, copy] {
      #expect(try file.list(Model.notes) == server.list("notes"))
      #expect(try file.list(Model.dates) == ["0.123457", "5.0"])
      #expect(try !file.client.push())
    }
  }

  /// Of two insertions that a file has, the first was sent, and that is stored only with the next pull.
  @Test(arguments: [true, false]) func whatWasSentBeforeTheCopyingWaitsInNeitherFile(
    isOriginalFirst: Bool
  ) throws {
    let server = try ListedServer()
    let original = try ListedFile(server)
    try original.edit { _ in original.create(notes: ["a"]) }
    try original.transfer()
    try original.edit { $0.appendElement(Model.notes, original.row(), .string("sent")) }
    try original.client.push()
    try original.edit { $0.appendElement(Model.notes, original.row(), .string("waits")) }
    let copy = try ListedFile(server, copyOf: original)
    let files = isOriginalFirst ? [original, copy] : [copy, original]
    for _ in 0..<2 {
      for file in files { try file.transfer() }
    }
    #expect(try server.list("notes") == ["a", "sent", "waits"])
    for file in files { #expect(try file.list(Model.notes) == ["a", "sent", "waits"]) }
  }

  /// The session ends before the second file has compared its insertions with those on the server.
  @Test func waitingInsertionsAreSentOnceAlsoAfterARestart() throws {
    let server = try ListedServer()
    let original = try ListedFile(server)
    try original.edit { _ in original.create(notes: ["a"]) }
    try original.transfer()
    try original.edit { $0.appendElement(Model.notes, original.row(), .string("waits")) }
    let copy = try ListedFile(server, copyOf: original)
    try original.transfer()
    try copy.connect()
    try copy.client.noteWaiting()
    try copy.restart()
    for file in [copy, original] { try file.transfer() }
    #expect(try server.list("notes") == ["a", "waits"])
    for file in [copy, original] { #expect(try file.list(Model.notes) == ["a", "waits"]) }
  }

  /// What was inserted before the first contact, and after the file was prepared.
  @Test(arguments: [true, false]) func insertionsOfFilesThatAreNotKnownYetAreSentOnce(
    isOriginalFirst: Bool
  ) throws {
    let server = try ListedServer()
    let original = try ListedFile(server) { snapshot in
      let row = snapshot.table(Model.person).insertRow()
      snapshot.table(Model.person).setInteger(0, row, 1)
      snapshot.table(Model.person).insertElements(Model.notes, row, at: 0, ["a", "b"].map { .string($0) })
    }
    try original.edit { people in
      people.insertElement(Model.notes, original.row(), at: 1, .string("x"))
      original.create(2, notes: ["p", "p"])
    }
    let copy = try ListedFile(server, copyOf: original)
    for (file, name) in [(original, "of original"), (copy, "of copy")] {
      try file.edit { people in
        // Both insert the same value, each by itself.
        people.appendElement(Model.notes, file.row(), .string("each"))
        people.appendElement(Model.notes, file.row(2), .string(name))
      }
    }
    let files = isOriginalFirst ? [original, copy] : [copy, original]
    for _ in 0..<2 {
      for file in files { try file.transfer() }
    }
    let notes = try server.list("notes")
    #expect(notes.sorted() == ["a", "b", "each", "each", "x"])
    #expect(try server.list("notes", of: 2).sorted() == ["of copy", "of original", "p", "p"])
    for file in files {
      #expect(try file.list(Model.notes) == notes && !file.client.push())
      #expect(try file.list(Model.notes, of: 2) == server.list("notes", of: 2))
    }
  }

  /// The server has exactly what the copy has, but the copy has no numbers of the elements. Its first contact is cut.
  @Test(arguments: 0..<8) func anUnknownFileThatNobodyWritesAfterItWasCopiedIsSentOnce(steps: Int) throws {
    let server = try ListedServer()
    let original = try ListedFile(server)
    try original.edit { _ in original.create(notes: ["a", "a"]) }
    let copy = try ListedFile(server, copyOf: original)
    try original.transfer()
    copy.client.connection = CuttingConnection(
      try PostgresConnection(server.settings), cut: CuttingConnection.Cut(steps: steps, losesAnswer: true)
    ) { $0 }
    do { try copy.client.contact() } catch is PostgresError { copy.client.disconnect() }
    try copy.client.noteWaiting()
    for file in [copy, original] { try file.transfer() }
    #expect(try server.list("notes") == ["a", "a"])
    for file in [original, copy] { #expect(try file.list(Model.notes) == ["a", "a"] && !file.client.push()) }
  }

  /// A copy on a machine whose clock is wrong: what both have is recognised nevertheless.
  @Test(arguments: [-86_400_000, 86_400_000]) func copiesOnAnotherMachineAreRecognised(skew: Int64) throws {
    let server = try ListedServer()
    let original = try ListedFile(server, skew: skew)
    try original.edit { _ in original.create(notes: ["a", "b"]) }
    let copy = try ListedFile(server, copyOf: original)
    try copy.edit { $0.appendElement(Model.notes, copy.row(), .string("of copy")) }
    for file in [original, copy, original] { try file.transfer() }
    #expect(try server.list("notes") == ["a", "b", "of copy"])
    for file in [original, copy] { #expect(try file.list(Model.notes) == ["a", "b", "of copy"]) }
  }

  /// A copy that has not compared its insertions yet is copied itself.
  @Test func aCopyOfACopySendsWaitingInsertionsOnce() throws {
    let server = try ListedServer()
    let original = try ListedFile(server)
    try original.edit { _ in original.create(notes: ["a"]) }
    try original.transfer()
    try original.edit { $0.appendElement(Model.notes, original.row(), .string("waits")) }
    let copy = try ListedFile(server, copyOf: original)
    try original.transfer()
    try copy.connect()
    let second = try ListedFile(server, copyOf: copy)
    try second.edit { $0.appendElement(Model.notes, second.row(), .string("of second")) }
    for file in [second, copy, original, copy, original] { try file.transfer() }
    #expect(try server.list("notes") == ["a", "waits", "of second"])
    for file in [original, copy, second] {
      #expect(try file.list(Model.notes) == ["a", "waits", "of second"])
    }
  }

  /// The copy reads the object twice: because it has changed, and because of what was lost.
  @Test func equalInsertionsOfAnObjectThatIsReadAgainStayTwoElements() throws {
    let server = try ListedServer()
    let original = try ListedFile(server)
    try original.edit { _ in original.create(notes: ["a"]) }
    try original.transfer()
    try original.edit { $0.replaceElement(Model.notes, original.row(), at: 0, .string("lost")) }
    try server.outsider.runScript("update app.\"Person.notes\" set value = 'sql'")
    try original.client.push()
    #expect(original.client.state.again.count == 1)
    try original.edit { people in
      for _ in 0..<2 { people.appendElement(Model.notes, original.row(), .string("twice")) }
    }
    let copy = try ListedFile(server, copyOf: original)
    for file in [original, copy, original] { try file.transfer() }
    #expect(try server.list("notes") == ["sql", "twice", "twice"])
    for file in [original, copy] { #expect(try file.list(Model.notes) == ["sql", "twice", "twice"]) }
  }
}
