import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// Random transactions of two open files, against a dictionary.
@Suite struct ModelTests {
  private let folder = ScratchFolder()

  @Test(arguments: [40, 300, 3000], [false, true]) func versionsAreWhatTransactionsMadeThem(
    keys: Int, isEncrypted: Bool
  ) throws {
    let workload = try Workload(
      folder.path(isEncrypted ? "\(keys)-sealed.pages" : "\(keys).pages"),
      SeededGenerator(printing: .random(in: 0..<1 << 32)), keys: keys)
    var mostHeld: UInt64 = 0
    for step in 0..<TestLength.count(1500, long: 30_000) {
      try workload.step()
      if step % 50 == 0 {
        try PageVersion.with(workload.stores[step / 50 & 1]) {
          try check(.version($0), workload.contents[$0.version]!)
        }
      }
      if step % 7 == 0 { mostHeld = max(mostHeld, try checkBacklog(workload.stores[step & 1])) }
      if workload.contents.count > 2000 {
        let newest = workload.contents.keys.max()!
        workload.contents = workload.contents.filter { $0.key + 1000 > newest }
      }
    }
    #expect(mostHeld > 0)
    try workload.end()
    try checkSpace(workload)
  }

  /// What the durable version alone keeps is counted as it changes. Returns the number of units.
  private func checkBacklog(_ store: PageStore) throws -> UInt64 {
    let transaction = try PageTransaction(store)
    defer { transaction.abort() }
    try store.reclaimSpace(transaction.newest)
    let count = store.memory[.heldForDisk]
    #expect(count == UInt64(store.givenUp.unitCount(heldFor: [store.durableVersion])))
    return count
  }

  /// What is marked as in use is what is in use.
  private func checkSpace(_ workload: Workload) throws {
    let store = try PageStore(path: workload.path, options: workload.options)
    let contents = workload.contents[workload.contents.keys.max()!]!
    try PageVersion.with(store) { try check(.version($0), contents) }
    for number in 0..<3 {
      let transaction = try PageTransaction(store)
      try key(number).withUnsafeBytes { try transaction.set($0, $0) }
      try transaction.commit(.full)
    }
    let transaction = try PageTransaction(store)
    try store.reclaimSpace(transaction.newest)
    transaction.abort()
    let marked = store.memory[.usedCount]
    try store.rebuildSpace()
    let rebuilt = store.memory[.usedCount]
    let end = Int(store.memory[.end])
    #expect(rebuilt == UInt64((0..<end).count(where: store.used.contains)))
    // What the durable version alone needs is freed only with the next transaction, in both.
    #expect(marked == rebuilt)
    try store.close()
  }
}
