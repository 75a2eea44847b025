import Foundation
import Storage
import Sync
import TestSupport
import Testing

/// What waits in a file while it is sent, acknowledged, refused or replaced.
@Suite struct WaitingChangeTests {
  private let server: PostgresServer
  private let settings: PostgresSettings
  private let outsider: PostgresConnection

  init() throws {
    server = try .shared()
    settings = try server.settings(server.makeDatabase(SimulatedModel.make()))
    outsider = try PostgresConnection(settings)
  }

  private func makeFile() throws -> SimulatedFile {
    let file = try SimulatedFile()
    file.settings = settings
    try file.transfer()
    return file
  }

  private func rows(_ sql: String) throws -> [String] { try outsider.run(sql).map { $0.text(0) ?? "-" } }

  /// Number of bytes that this thread has written.
  private func writtenBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("wchar: ") })
    return try #require(Int(line.dropFirst(7)))
  }

  @Test func whatIsWrittenDuringAPushWaitsForTheNext() throws {
    let file = try makeFile()
    try file.write { snapshot in
      for key in 1...3000 {
        snapshot.table(SimulatedModel.dog).setString(
          1, file.create(SimulatedModel.dog, .int(Int64(key))), "dog")
      }
    }
    file.client.disconnect()
    var written: [String] = []
    var (isFirst, isInMerge) = (true, false)
    file.client.connection = CuttingConnection(try PostgresConnection(settings), cut: nil) { sql in
      // After the amounts were noted: the version that is sent is fixed.
      if sql.hasPrefix("select realm.begin_push()") { isInMerge = isFirst }
      if isInMerge {
        let key = Int64(5000 + written.count)
        try file.name(key, "during")
        try file.name(Int64(1 + written.count), "changed")
        written.append("\(key)")
      }
      return sql
    }
    try file.client.contact()
    #expect(try file.client.push())
    (isFirst, isInMerge) = (false, false)
    #expect(written.count > 4)
    #expect(try rows("select count(*) from app.\"Dog\" where name = 'dog'") == ["3000"])
    #expect(try rows("select count(*) from app.\"Dog\"") == ["3000"])
    try file.client.noteWaiting()
    #expect(file.client.facts.waiting == 2 * written.count)
    while try file.client.push() {}
    #expect(try rows("select id from app.\"Dog\" where name = 'during' order by id") == written)
    #expect(try rows("select count(*) from app.\"Dog\" where name = 'changed'") == ["\(written.count)"])
    try file.client.pull()
    #expect(try file.dogs() == rows("select id || ' ' || name from app.\"Dog\"").sorted())
  }

  /// An acknowledgement changes a number: what it costs does not depend on how much waits.
  @Test func anAcknowledgementWritesFewPages() throws {
    let file = try makeFile()
    func bytesOfAcknowledgement(_ keys: ClosedRange<Int>) throws -> Int {
      try file.write { _ in
        for key in keys { file.create(SimulatedModel.dog, .int(Int64(key))) }
      }
      try file.client.push()
      // What is committed meanwhile waits.
      try file.write { _ in
        for key in keys { file.create(SimulatedModel.dog, .int(Int64(key + 100_000))) }
      }
      let before = try writtenBytes()
      try file.client.saveState()
      return try writtenBytes() - before
    }
    let few = try bytesOfAcknowledgement(1...1)
    let many = try bytesOfAcknowledgement(2...3001)
    #expect(few > 0 && few < 4 * 4096 && many < 4 * 4096)
  }

  enum Place: CaseIterable, Sendable { case online, offline }

  @Test(arguments: Place.allCases, [1, 2])
  func aKeyThatIsDeletedAndCreatedIsANewObject(place: Place, transactions: Int) throws {
    let (first, second) = (try makeFile(), try makeFile())
    try first.name(1, "former", age: 7)
    try first.write {
      $0.table(SimulatedModel.dog).setString(3, first.row(SimulatedModel.dog, .int(1))!, "nick")
    }
    try first.transfer()
    try second.transfer()
    // An edit of the former object, which waits elsewhere.
    try second.name(1, "edited", age: 8)
    // What two files write in one millisecond has no order.
    let edited = SyncClock.systemMilliseconds()
    while SyncClock.systemMilliseconds() <= edited { usleep(100) }
    if transactions == 1 {
      try first.write { snapshot in
        first.delete(SimulatedModel.dog, .int(1))
        snapshot.table(SimulatedModel.dog).setString(1, first.create(SimulatedModel.dog, .int(1)), "new")
      }
    } else {
      try first.deleteDog(1)
      if place == .online { try first.transfer() }
      try first.name(1, "new")
    }
    if place == .online { try first.transfer() }
    try second.transfer()
    for file in [first, second, first] { try file.transfer() }
    #expect(try rows("select concat_ws(' ', id, name, age, nick) from app.\"Dog\"") == ["1 new 0"])
    for file in [first, second] {
      let dog = try file.objects(SimulatedModel.dog)[ExactValue(.int(1))]
      #expect(dog == [.string("new"), .int(0), .null].map { ExactValue($0) })
      #expect(try !file.client.push())
    }
  }

  static let rejections = ["22003", "23505", "23514", "42501", "P0001", "AB123", "0A000"]
  static let troubles = ["40001", "40P01", "53100", "53200", "55P03", "57014", "58030", "XX000", "25006"]

  /// Lets the server raise an error for the second of three dogs.
  private func raise(_ state: String) throws {
    try outsider.runScript(
      """
      create function app.refuse() returns trigger language plpgsql as
        $$ begin raise exception 'refused' using errcode = '\(state)'; end $$;
      create trigger refuse before insert on app."Dog" for each row when (new.id = 2) execute function app.refuse()
      """)
  }

  @Test(arguments: rejections) func anErrorOfAnObjectRejectsThatObjectOnce(state: String) throws {
    let file = try makeFile()
    try raise(state)
    for key in 1...3 { try file.name(Int64(key), "dog") }
    try file.transfer()
    try file.transfer()
    #expect(try rows("select id from app.\"Dog\" order by id") == ["1", "3"])
    #expect(file.rejected.map(\.key) == [.int(2)])
    #expect(try file.dogs() == ["1 dog", "3 dog"])
  }

  @Test(arguments: troubles) func troubleOfTheServerRejectsNothing(state: String) throws {
    let file = try makeFile()
    try raise(state)
    for key in 1...3 { try file.name(Int64(key), "dog") }
    #expect(throws: PostgresError.self) { try file.push() }
    try file.pull()
    #expect(try rows("select id from app.\"Dog\"") == [])
    #expect(try file.dogs().count == 3)
    try outsider.runScript("drop trigger refuse on app.\"Dog\"")
    try file.transfer()
    #expect(file.rejected.isEmpty)
    #expect(try rows("select id from app.\"Dog\" order by id") == ["1", "2", "3"])
  }

  @Test func aUniqueConstraintRejectsTheSecondObjectOnly() throws {
    try outsider.runScript("alter table app.\"Dog\" add unique (nick)")
    let (first, second) = (try makeFile(), try makeFile())
    for (file, key) in [(first, Int64(1)), (second, 2)] {
      try file.name(key, "dog")
      try file.write {
        $0.table(SimulatedModel.dog).setString(3, file.row(SimulatedModel.dog, .int(key))!, "same")
      }
      try file.name(key + 10, "other")
      try file.transfer()
    }
    for file in [second, first] { try file.transfer() }
    for file in [first, second] { #expect(try file.dogs() == ["1 dog", "11 other", "12 other"]) }
    #expect(first.rejected.isEmpty && second.rejected.map(\.key) == [.int(2)])
  }
}
