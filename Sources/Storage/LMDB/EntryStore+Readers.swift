import CLMDB
import LibC

/// A slot in LMDB's table of readers that a process has taken.
struct LMDBReader {
  /// See `ReaderNumber`.
  let number: Int32
  /// The version that is read; nil when the slot holds none at present.
  let version: UInt64?

  /// Reads one of LMDB's lines: number, thread and version, or "-". Nil for other lines.
  fileprivate init?(_ line: UnsafePointer<CChar>) {
    var end: UnsafeMutablePointer<CChar>?
    let number = strtol(line, &end, 10)
    guard let threadStart = end, UnsafePointer(threadStart) != line else { return nil }
    _ = strtoull(threadStart, &end, 16)
    guard let versionStart = end, versionStart != threadStart else { return nil }
    let version = strtoull(versionStart, &end, 10)
    self.number = Int32(truncatingIfNeeded: number)
    self.version = end == versionStart ? nil : version
  }
}

extension EntryStore {
  /// Clears the slots of processes that died, which would pin their versions for ever. Slots with the environment's own
  /// number are left alone.
  func forgetDeadReaders() {
    var dead: Int32 = 0
    mdb_reader_check(handle, &dead)
  }

  /// The slots of all processes. LMDB tells them only as text: a line each, and one before them.
  var readers: [LMDBReader] {
    final class Readers { var all: [LMDBReader] = [] }
    let readers = Readers()
    mdb_reader_list(
      handle,
      { line, context in
        if let line, let context, let reader = LMDBReader(line) {
          Unmanaged<Readers>.fromOpaque(context).takeUnretainedValue().all.append(reader)
        }
        return 0
      }, Unmanaged.passUnretained(readers).toOpaque())
    return readers.all
  }
}
