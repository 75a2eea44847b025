import LibC
import Pages
import PagesTestSupport

/// Walks through a whole file, in one of the ways in which a program does, and says how much memory that took.
enum Walk {
  /// What the system says of this process: peak of its memory, in KiB.
  private static func peakMemory() throws -> Int {
    guard let file = fopen("/proc/self/status", "r") else { throw WrongContents("no status") }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 200)
    while fgets(&line, 200, file) != nil {
      let words = line.prefix { $0 != 0 }.split { $0 == 32 || $0 == 9 || $0 == 10 }
        .map { String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self) }
      if words.first == "VmHWM:" { return Int(words[1]) ?? 0 }
    }
    throw WrongContents("no peak of memory")
  }

  private static func check(_ cursor: PageCursor) throws {
    let (number, bytes) = (number(ofKey: cursor.key), try cursor.value())
    if !TestValue(stamp: UInt32(number), size: bytes.count).matches(bytes) {
      throw WrongContents("the value of \(number)")
    }
  }

  /// - Parameters:
  ///   - limit: Maximum number of bytes that stay decrypted without a reader.
  ///   - piece: Number of bytes after which a reader releases what was decrypted for it.
  static func run(_ path: String, _ way: String, limit: Int, piece: Int) throws {
    let before = try peakMemory()
    let store = try PageStore(
      path: path, options: .init(mapLimit: 1 << 32, key: encryptionKey(path), decryptedLimit: limit))
    let count: Int
    switch way {
    case "version": count = try version(store, piece)
    case "versions": count = try versions(store)
    default: count = try transaction(store)
    }
    print("\(count) \(try peakMemory() - before)")
    try store.close()
  }

  /// All of one version.
  private static func version(_ store: PageStore, _ piece: Int) throws -> Int {
    try PageVersion.with(store) { version in
      var cursor = PageCursor(.version(version))
      var (count, isThere) = (0, try cursor.moveToFirst())
      while isThere {
        try check(cursor)
        count += 1
        try cursor.releaseDecrypted(beyond: piece)
        isThere = try cursor.moveToNext()
      }
      return count
    }
  }

  /// Some entries of each version.
  private static func versions(_ store: PageStore) throws -> Int {
    var (count, isThere) = (0, true)
    while isThere {
      try PageVersion.with(store) { version in
        var cursor = PageCursor(.version(version))
        isThere = try key(count).withUnsafeBytes { try cursor.move(toOrAfter: $0) }
        for _ in 0..<200 where isThere {
          try check(cursor)
          count += 1
          isThere = try cursor.moveToNext()
        }
      }
    }
    return count
  }

  /// A transaction that reads every entry, and changes some.
  private static func transaction(_ store: PageStore) throws -> Int {
    let transaction = try PageTransaction(store)
    var count = 0
    while try key(count).withUnsafeBytes({ key in
      guard let bytes = try transaction.value(key) else { return false }
      let value = TestValue(stamp: UInt32(count), size: bytes.count)
      if !value.matches(bytes) { throw WrongContents("the value of \(count)") }
      if count % 20 == 0 { value.write(try transaction.reserve(key, value.size)) }
      return true
    }) { count += 1 }
    try transaction.commit(.relaxed)
    return count
  }
}
