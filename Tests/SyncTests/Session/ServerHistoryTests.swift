import Storage
import Sync
import TestSupport
import Testing

/// What a client finds at its first contact with a server that was changed meanwhile.
@Suite struct ServerHistoryTests {
  private func transferredFile(_ server: LinkedServer) throws -> LinkedFile {
    let file = try LinkedFile(server)
    try file.write { _ in file.create(LinkedModel.dog, .int(1)) }
    try file.transfer()
    try file.transfer()
    return file
  }

  @Test func functionsOfAnEarlierVersionAreRefused() throws {
    let server = try LinkedServer()
    try server.rows("alter table realm.server drop column routines, drop column routines_version")
    let error = #expect(throws: SyncProblem.self) { try LinkedFile(server).connect() }
    #expect(error?.description.contains("realm sync push-schema") == true)
  }

  @Test func aHistoryThatAnEarlierVersionNotedIsTakenOver() throws {
    let server = try LinkedServer()
    let file = try transferredFile(server)
    let noted = file.client.state.history
    let parts = noted.split(separator: ":", omittingEmptySubsequences: false)
    file.client.state.history = parts.prefix(3).joined(separator: ":")
    try file.client.saveState()
    try file.restart()
    try file.connect()
    #expect(file.resets.isEmpty && !file.client.state.needsFullPull && file.client.state.history == noted)
  }

  @Test func anotherHistoryIsReportedAndComparedOnce() throws {
    let server = try LinkedServer()
    let file = try transferredFile(server)
    try server.rows("select realm.rehistory()")
    try file.restart()
    try file.transfer()
    try file.restart()
    try file.transfer()
    #expect(file.resets == [.historyChanged])
  }

  /// Commits that the server had confirmed are missing, and nothing else tells so.
  @Test func aServerThatHasLostPushesOfItsHistoryIsReported() throws {
    let server = try LinkedServer()
    let file = try transferredFile(server)
    try server.rows("delete from app.\"Dog\"; update realm.client set applied = 0")
    try file.restart()
    try file.transfer()
    #expect(file.resets == [.historyChanged])
  }
}
