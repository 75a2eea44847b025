import LibC
import PagesTestSupport
import TestSupport

@testable import Pages

/// Two open files of one path that write in turn at random, with what each version must be.
final class Workload {
  let path: String
  private(set) var options = PageStore.Options()
  var random: SeededGenerator
  private let keyCount: Int
  private(set) var stores: [PageStore] = []
  var contents: [UInt64: TestContents] = [1: [:]]
  private var held: [(version: PageVersion, contents: TestContents)] = []
  private var stamp: UInt32 = 1
  private(set) var commits = 0
  /// For a while nobody waits for the disk.
  private var waitsForDisk = true
  var recorder: DiskRecorder?

  init(
    _ path: String, _ random: SeededGenerator, keys: Int = 300,
    watcher: (any StoreWatcher)? = nil
  ) throws {
    (self.path, self.random, keyCount) = (path, random, keys)
    options = PageStore.Options(
      mapLimit: 1 << 28, chainLimit: [2, 5, 32, nil].randomElement(using: &self.random)!,
      smallSize: [0, 8 << 20].randomElement(using: &self.random)!, key: encryptionKey(path),
      decryptedLimit: [0, 50_000, 32 << 20].randomElement(using: &self.random)!, watcher: watcher)
    stores = [try open(), try open()]
  }

  private func open() throws -> PageStore { try PageStore(path: path, options: options) }

  private func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  /// - Parameter durability: Nil for a transaction that is dropped.
  func transaction(_ store: PageStore, _ durability: PageDurability?, changes: Int? = nil) throws {
    let transaction = try PageTransaction(store)
    guard var contents = contents[transaction.version - 1] else {
      throw WrongContents("version \(transaction.version - 1) never was")
    }
    for _ in 0..<(changes ?? 1 + below(6)) { try change(transaction, &contents) }
    if below(20) == 0 { try check(.transaction(transaction), contents) }
    guard let durability else { return transaction.abort() }
    let version = transaction.version
    // While the disk is waited for, others see it already if they may.
    self.contents[version] = contents
    try transaction.commit(durability)
    if durability == .full { recorder?.noteDurable(version) }
    commits += 1
  }

  private func change(_ transaction: PageTransaction, _ contents: inout TestContents) throws {
    let number = below(10) == 0 ? keyCount + below(keyCount) : below(keyCount)
    if below(5) == 0 {
      let existed = try key(number).withUnsafeBytes { try transaction.remove($0) }
      if existed != (contents.removeValue(forKey: number) != nil) { throw WrongContents("a deletion") }
      return
    }
    let size = 8 + (below(3) == 0 ? below(6000) : below(700))
    let value = TestValue(stamp: stamp, size: size)
    stamp += 1
    try key(number).withUnsafeBytes { value.write(try transaction.reserve($0, size)) }
    contents[number] = value
  }

  func step() throws {
    let store = stores[below(2)]
    if below(40) == 0 { waitsForDisk.toggle() }
    switch below(100) {
    case 0..<20 where waitsForDisk: try transaction(store, .full)
    case 0..<76: try transaction(store, .relaxed, changes: below(60) == 0 ? 200 : nil)
    case 76..<82: try transaction(store, nil)
    case 82..<92 where waitsForDisk:
      recorder?.during = { [self] in
        for _ in 0..<below(below(4) == 0 ? 40 : 5) { try transaction(stores[below(2)], .relaxed) }
      }
      let durable = try store.synchronise()
      recorder?.during = nil
      recorder?.noteDurable(durable)
    case 92..<96 where held.count < 4:
      let version = try PageVersion(store)
      held.append((version, contents[version.version]!))
    case 82..<98: try releaseOne()
    default: try reopen()
    }
  }

  private func releaseOne() throws {
    if held.isEmpty { return }
    let (version, contents) = held.remove(at: below(held.count))
    defer { version.release() }
    try check(.version(version), contents)
    try PageVersion.with(stores[0]) { now in
      var told: Set<Int> = []
      try VersionDifferences.forEachKey(version, now) { key, _ in told.insert(number(ofKey: key)) }
      let newContents = self.contents[now.version]!
      for number in 0..<2 * keyCount where contents[number] != newContents[number] && !told.contains(number) {
        throw WrongContents("a change of \(number) was not told")
      }
      guard version.map === now.map, let gone = try GoneExtents(from: version, to: now) else { return }
      for number in 0..<2 * keyCount {
        try key(number).withUnsafeBytes { key in
          guard let value = try version.value(key), let start = value.baseAddress, gone.isUnchanged(start)
          else {
            return
          }
          let present = try now.value(key)
          if present?.baseAddress != start || present?.count != value.count {
            throw WrongContents("\(number) is said to be where it was")
          }
        }
      }
    }
  }

  private func reopen() throws {
    releaseAll()
    let number = below(2)
    try stores.remove(at: number).close()
    if below(2) == 0 {
      try stores.removeLast().close()
      stores = [try open()]
    }
    stores.append(try open())
  }

  private func releaseAll() {
    for (version, _) in held { version.release() }
    held = []
  }

  func end() throws {
    for (version, contents) in held { try check(.version(version), contents) }
    releaseAll()
    for store in stores { try store.close() }
    stores = []
  }
}

/// Puts other bytes into the file, which stays the one that it is, and removes the lock file.
func replaceFile(_ path: String, _ bytes: [UInt8]) throws {
  unlink(path + "-lock")
  let descriptor = open(path, O_WRONLY | O_TRUNC)
  defer { close(descriptor) }
  guard bytes.isEmpty || write(descriptor, bytes, bytes.count) == bytes.count else {
    throw WrongContents("\(path) cannot be written")
  }
}
