import CLMDB

extension DatabaseFile {
  /// A reader as LMDB knows it, of any process.
  public struct AnyReader: Sendable {
    public let process: Int32
    public let version: UInt64
  }

  /// The readers of all processes that read a version at present.
  public var readersOfAllProcesses: [AnyReader] {
    // Those of processes that died would count for ever.
    var dead: Int32 = 0
    mdb_reader_check(environment, &dead)
    // LMDB tells its readers only as text: process, thread and version ("-" when it reads nothing).
    final class Readers { var all: [AnyReader] = [] }
    let readers = Readers()
    mdb_reader_list(
      environment,
      { text, context in
        guard let text, let context else { return 0 }
        let words = String(cString: text).split(whereSeparator: \.isWhitespace)
        if let process = words.first.flatMap({ Int32($0) }), let version = words.last.flatMap({ UInt64($0) })
        {
          Unmanaged<Readers>.fromOpaque(context).takeUnretainedValue().all.append(
            AnyReader(process: process, version: version))
        }
        return 0
      }, Unmanaged.passUnretained(readers).toOpaque())
    return readers.all
  }

  /// The oldest version that a reader of any process holds; nil when there is none.
  var oldestPinnedVersion: UInt64? { readersOfAllProcesses.map(\.version).min() }

  /// The number of versions from the oldest one that is in use, by any process, to the newest.
  public var activeVersionCount: UInt64 {
    let newest = newestVersion
    return newest - min(oldestPinnedVersion ?? newest, newest) + 1
  }
}
