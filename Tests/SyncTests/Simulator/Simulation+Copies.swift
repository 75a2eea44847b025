import Sync
import TestSupport

// Copies of files, and backups that are copied over their files.
extension Simulation {
  /// Copies a file while changes wait in it. Both go on, as clients of their own.
  func copy(_ file: SimulatedFile) throws {
    if Bool.random(using: &random) { return try backUpOrRestore(file) }
    if files.count == Self.mostFiles { return }
    let isClosed = Bool.random(using: &random)
    let copy = try file.copy(number: files.count, isClosed: isClosed)
    note("\(file.number): is copied to \(copy.number)" + (isClosed ? " while it is closed" : ""))
    add(copy)
    register.noteCopy(copy, of: file)
    overwritten.noteCopy(copy, of: file)
    for kind in kinds { kind.noteCopy(copy, of: file) }
  }

  /// Makes a backup of a file, or copies the one that there is over the file.
  private func backUpOrRestore(_ file: SimulatedFile) throws {
    if file.client.state.client == 0 { return }
    if !file.hasBackup {
      note("\(file.number): is backed up")
      return try file.backUp()
    }
    let sent = try outsider.run(
      "select applied from realm.client where id = \(file.client.state.client) "
        + "and token = '\(file.client.state.token)'"
    ).first?.integer(0)
    let acknowledged = max(file.client.state.acknowledged, UInt64(sent ?? 0))
    let version = try file.restoreBackup()
    note("\(file.number): the backup of version \(version) is copied over it, \(acknowledged) was sent")
    register.noteRestore(file, to: version, sent: acknowledged)
    overwritten.noteRestore(file, to: version, sent: acknowledged)
    for kind in kinds { kind.noteRestore(file, to: version, sent: acknowledged) }
  }
}
