import CLMDB

extension DatabaseFile {
  /// The oldest version that a reader of any process holds; nil when there is none.
  var oldestPinnedVersion: UInt64? {
    // Those of processes that died would count for ever.
    var dead: Int32 = 0
    mdb_reader_check(environment, &dead)
    // LMDB tells its readers only as text: process, thread and version ("-" when it reads nothing).
    final class Oldest { var version: UInt64? }
    let oldest = Oldest()
    mdb_reader_list(
      environment,
      { text, context in
        guard let text, let context else { return 0 }
        let oldest = Unmanaged<Oldest>.fromOpaque(context).takeUnretainedValue()
        let line = String(cString: text)
        if let version = line.split(whereSeparator: \.isWhitespace).last.flatMap({ UInt64($0) }) {
          oldest.version = min(oldest.version ?? version, version)
        }
        return 0
      }, Unmanaged.passUnretained(oldest).toOpaque())
    return oldest.version
  }

  /// The number of versions from the oldest one that is in use, by any process, to the newest.
  public var activeVersionCount: UInt64 {
    let newest = newestVersion
    return newest - min(oldestPinnedVersion ?? newest, newest) + 1
  }
}
