import Sync

/// What the transactions of the files of a simulation have done. A power cut takes transactions back; a copy of a file has those of
/// the file, too.
struct FileWrites<Content> {
  /// What one transaction has done, as one of the files has it.
  struct Write {
    var file: Int
    /// The version of the file that has it.
    var version: UInt64
    /// The same for all files that have the transaction.
    var transaction: Int
    /// Whether the server has it, and the file does not or may send it again: a backup has replaced the file.
    var isOnServer = false
    var content: Content
  }

  private(set) var all: [Write] = []
  private var transactionCount = 0

  /// Takes note of what the transaction has done that has made the newest version of a file.
  mutating func note(_ content: Content, in file: SimulatedFile) {
    transactionCount += 1
    all.append(
      Write(
        file: file.number, version: file.writer.version, transaction: transactionCount, content: content))
  }

  /// Forgets what a file has lost.
  mutating func forget(_ file: SimulatedFile, after version: UInt64) {
    all.removeAll { $0.file == file.number && $0.version > version && !$0.isOnServer }
  }

  /// Takes note that a copy of a file has been made.
  mutating func noteCopy(_ copy: SimulatedFile, of original: SimulatedFile) {
    all += all.filter { $0.file == original.number && !$0.isOnServer }.map { write in
      var write = write
      write.file = copy.number
      return write
    }
  }

  /// Takes note that a backup has replaced a file.
  ///
  /// - Parameters:
  ///   - version: The version of the backup.
  ///   - sent: The version up to which the server has the changes of the file.
  mutating func noteRestore(_ file: SimulatedFile, to version: UInt64, sent: UInt64) {
    let known = all.filter { $0.file == file.number && $0.version <= sent && !$0.isOnServer }
    forget(file, after: version)
    all += known.map { write in
      var write = write
      write.isOnServer = true
      return write
    }
  }

  /// Forgets what a file has taken back of a class because another copy of the file has sent it.
  mutating func drop(_ file: SimulatedFile, className: String) {
    let state = file.client.state
    let late = state.lateClasses.first { $0.name == className && $0.version > state.startOfPending }
    let bound = min(state.acknowledged, late?.since ?? .max)
    all.removeAll { $0.file == file.number && $0.version > bound && !$0.isOnServer }
  }
}

extension FileWrites.Write {
  /// Returns a stamp of the transaction as the file sends it.
  func corrected(_ stamp: UInt64, _ simulation: Simulation) -> Stamp {
    simulation.files[file].client.state.corrected(Stamp(rawValue: Int64(stamp)), version: version)
  }
}
