import Storage
import Sync
import TestSupport
import Testing

/// A class that is left out of synchronisation and taken in again: what was changed meanwhile is sent.
@Suite struct LeftOutClassTests {
  private typealias Model = ShelvedModel

  /// A server and a file, whose log is trimmed while the class is left out, or not.
  private struct Scene {
    let server: ShelvedServer
    let file: ShelvedFile

    init(_ prepare: (ShelvedFile, Table) -> Void) throws {
      server = try ShelvedServer()
      file = try ShelvedFile(server)
      try file.edit { prepare(file, $0) }
      try file.transfer()
    }

    /// Changes books while they are not synchronised, and other objects are, and takes books in again.
    func leaveOut(isTrimmed: Bool = false, _ body: (ShelvedFile, Table) throws -> Void) throws {
      try file.reopen(["Author"])
      try file.transfer()
      try file.edit { try body(file, $0) }
      try file.edit { _ in file.author("sent meanwhile at \(file.writer.version)") }
      try file.transfer()
      if isTrimmed { try file.trimLog() }
      try file.transfer()
      try file.reopen()
    }

    /// Lets another file see what the server has.
    func check(_ column: Int, _ name: String, of key: Int64 = 1, _ expected: [String]) throws {
      #expect(try server.elements(name, of: key) == expected)
      #expect(try file.elements(column, of: key) == expected)
      let other = try ShelvedFile(server)
      try other.transfer()
      #expect(try other.elements(column, of: key) == expected)
    }
  }

  @Test(arguments: [false, true]) func editsOfListsAreSent(isTrimmed: Bool) throws {
    let scene = try Scene { file, _ in
      file.create(1, pages: ["a", "b", "c", "d"])
      file.create(2)
      file.create(3, pages: ["x", "y"])
    }
    let before = try scene.server.rows(
      "select value || _el from app.\"Book.pages\" where value in ('a', 'c')")
    try scene.leaveOut(isTrimmed: isTrimmed) { file, _ in
      file.assign(["d", "a", "e", "c"])
      file.assign(["f"], of: 2)
      file.assign([], of: 3)
      file.create(4, pages: ["g", "h"])
    }
    // Somebody else's element keeps its place.
    try scene.server.rows("insert into app.\"Book.pages\" (owner, value) values (1, 'z')")
    try scene.file.transfer()
    try scene.check(Model.pages, "pages", ["d", "a", "e", "c", "z"])
    try scene.check(Model.pages, "pages", of: 2, ["f"])
    try scene.check(Model.pages, "pages", of: 3, [])
    try scene.check(Model.pages, "pages", of: 4, ["g", "h"])
    #expect(
      try scene.server.rows("select value || _el from app.\"Book.pages\" where value in ('a', 'c')")
        == before)
    #expect(try scene.server.rows("select count(*) from app.\"Book.pages$gone\" where owner = 1") == ["1"])
    #expect(try !scene.file.client.push())
  }

  /// What the log does not say any more is not looked up in it, however often the session begins again.
  @Test func aSessionBeginsAgainWithoutATrimmedLog() throws {
    let scene = try Scene { file, _ in file.create(1, pages: ["a", "b", "c"]) }
    try scene.leaveOut(isTrimmed: true) { file, books in
      file.assign(["c", "d"])
      books.setString(Model.title, file.create(2, pages: ["e"]), "new")
    }
    for step in 0..<6 {
      scene.file.client.disconnect()
      do {
        try scene.file.connect(.init(steps: 2 * step, losesAnswer: false))
        try scene.file.client.push()
      } catch is PostgresError {}
      try scene.file.reopen()
    }
    try scene.file.transfer()
    try scene.check(Model.pages, "pages", ["c", "d"])
    try scene.check(Model.pages, "pages", of: 2, ["e"])
  }

  @Test func editsOfListsThatWereNotSentBeforeAreSent() throws {
    let scene = try Scene { file, _ in file.create(1, pages: ["a", "b", "c"]) }
    try scene.file.edit { _ in scene.file.assign(["b", "new", "c"]) }
    // Composed, and not sent.
    scene.file.client.disconnect()
    try scene.file.connect(.init(steps: 0, losesAnswer: false, statement: "begin"))
    #expect(throws: PostgresError.self) { try scene.file.client.push() }
    try scene.leaveOut { file, _ in file.assign(["b", "new", "c", "later"]) }
    try scene.file.transfer()
    try scene.check(Model.pages, "pages", ["b", "new", "c", "later"])
  }

  @Test func aListThatIsUnchangedSendsNothing() throws {
    let scene = try Scene { file, _ in file.create(1, pages: ["a", "a", "b"]) }
    let registers = "select _el || ' ' || _ks || ' ' || _vs from app.\"Book.pages\" order by 1"
    let before = try scene.server.rows(registers)
    try scene.leaveOut { _, _ in }
    try scene.server.rows("delete from app.\"Book.pages\" where value = 'b'")
    try scene.file.transfer()
    try scene.check(Model.pages, "pages", ["a", "a"])
    #expect(
      try scene.server.rows(registers) == before.filter { try scene.server.rows(registers).contains($0) })
  }

  @Test(arguments: [false, true]) func linksWhoseTargetsWereDeletedKeepTheirPlace(isTrimmed: Bool) throws {
    let scene = try Scene { file, books in
      let row = file.create(1)
      for name in ["Ada", "Bob", "Cid"] { books.appendElement(Model.authors, row, file.author(name)) }
    }
    try scene.leaveOut(isTrimmed: isTrimmed) { file, books in
      file.deleteAuthor("Ada")
      // What is left is Bob and Cid.
      books.removeElements(Model.authors, file.row(), 0..<1)
      books.appendElement(Model.authors, file.row(), file.author("Dan"))
    }
    try scene.file.transfer()
    #expect(try scene.server.elements("authors") == ["Ada", "Cid", "Dan"])
    #expect(try scene.file.elements(Model.authors) == ["Cid", "Dan"])
    try scene.file.edit { _ in scene.file.author("Ada") }
    try scene.file.transfer()
    try scene.check(Model.authors, "authors", ["Ada", "Cid", "Dan"])
  }

  @Test func objectsThatWereDeletedMeanwhileAreDeletedOnTheServer() throws {
    let scene = try Scene { file, _ in
      file.create(1, pages: ["a"])
      file.create(2, pages: ["b"])
    }
    try scene.leaveOut { file, books in
      books.deleteRow(file.row(2))
      books.setString(Model.title, file.row(1), "new title")
      books.deleteRow(file.row(1))
      file.create(1, pages: ["other"])
    }
    try scene.file.transfer()
    try scene.check(Model.pages, "pages", ["other"])
    #expect(try scene.server.rows("select id from app.\"Book\"") == ["1"])
  }

  /// When nothing says any more that an object was deleted, the one of the server comes again.
  @Test func objectsThatWereDeletedLongAgoComeAgainWithTheirLists() throws {
    let scene = try Scene { file, _ in file.create(1, pages: ["a", "b"]) }
    try scene.leaveOut(isTrimmed: true) { file, books in books.deleteRow(file.row()) }
    try scene.file.transfer()
    try scene.check(Model.pages, "pages", ["a", "b"])
    try scene.file.edit { _ in scene.file.assign(["b"]) }
    try scene.file.transfer()
    try scene.check(Model.pages, "pages", ["b"])
  }

  @Test func elementsOfSetsAndMapsThatWereChangedAreSent() throws {
    let scene = try Scene { file, books in
      let row = file.create(1)
      for tag in ["a", "b", "c"] { books.insertIntoSet(Model.tags, row, .string(tag)) }
      for key in ["k", "l", "m"] { books.setMapValue(Model.prices, row, key: key, .int(1)) }
    }
    try scene.file.edit { _ in scene.file.removeTag("c") }
    try scene.file.transfer()
    try scene.leaveOut { file, books in
      file.removeTag("a")
      for tag in ["c", "d"] { books.insertIntoSet(Model.tags, file.row(), .string(tag)) }
      file.removePrice("l")
      for key in ["k", "n"] { books.setMapValue(Model.prices, file.row(), key: key, .int(2)) }
    }
    try scene.server.rows(
      "insert into app.\"Book.tags\" (owner, value) values (1, 'z'); "
        + "update app.\"Book.prices\" set value = 7 where key = 'm'")
    try scene.file.transfer()
    try scene.check(Model.tags, "tags", ["b", "c", "d", "z"])
    try scene.check(Model.prices, "prices", ["k 2", "m 7", "n 2"])
  }

  /// Without the log, the elements that are here say what was added, and nothing says what was removed.
  @Test func elementsOfSetsAndMapsThatWereAddedLongAgoAreSent() throws {
    let scene = try Scene { file, books in
      let row = file.create(1)
      for tag in ["a", "b"] { books.insertIntoSet(Model.tags, row, .string(tag)) }
      for key in ["k", "l"] { books.setMapValue(Model.prices, row, key: key, .int(1)) }
    }
    try scene.leaveOut(isTrimmed: true) { file, books in
      file.removeTag("a")
      books.insertIntoSet(Model.tags, file.row(), .string("d"))
      books.setMapValue(Model.prices, file.row(), key: "k", .int(2))
      books.setMapValue(Model.prices, file.row(), key: "n", .int(2))
    }
    try scene.file.transfer()
    try scene.check(Model.tags, "tags", ["a", "b", "d"])
    try scene.check(Model.prices, "prices", ["k 1", "l 1", "n 2"])
  }

  @Test(arguments: [false, true]) func amountsOfCountersAreSentOnce(isTrimmed: Bool) throws {
    let scene = try Scene { file, books in books.setInteger(Model.sales, file.create(1), 5) }
    try scene.leaveOut(isTrimmed: isTrimmed) { file, books in
      books.setInteger(Model.sales, file.row(), 8)
      books.setInteger(Model.sales, file.create(2), 4)
    }
    try scene.server.rows("update app.\"Book\" set sales = sales + 100 where id = 1")
    try scene.file.transfer()
    #expect(
      try scene.server.rows("select id || ' ' || sales from app.\"Book\" order by id") == ["1 108", "2 4"])
    #expect(try scene.file.sales() == 108 && scene.file.sales(of: 2) == 4)
  }

  /// The push that is cut has noted what it adds, and the one that follows knows nothing of counters.
  @Test(arguments: [false, true]) func amountsOfAPushThatWasCutAreSentOnce(losesAnswer: Bool) throws {
    let scene = try Scene { file, books in books.setInteger(Model.sales, file.create(1), 5) }
    for step in 0..<12 {
      try scene.file.edit { $0.setInteger(Model.sales, scene.file.row(), Int64(6 + step)) }
      scene.file.client.disconnect()
      do {
        try scene.file.connect(.init(steps: 4 + step, losesAnswer: losesAnswer))
        try scene.file.client.push()
      } catch is PostgresError {}
      try scene.leaveOut { _, _ in }
      try scene.file.transfer()
      #expect(try scene.server.rows("select sales from app.\"Book\"") == ["\(6 + step)"], "step \(step)")
      #expect(try scene.file.sales() == Int64(6 + step), "step \(step)")
    }
  }
}
