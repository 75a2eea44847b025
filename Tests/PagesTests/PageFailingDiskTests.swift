import Foundation
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// Each write and each synchronisation fails once. What threw is never seen, and what did not is kept.
@Suite struct PageFailingDiskTests {
  private let folder = ScratchFolder()

  /// Lets one of the calls fail. Of a write, a part has happened by then.
  private final class Failures: StoreWatcher {
    let path: String
    var left: Int
    private(set) var hasFailed = false

    init(path: String, moment: Int) { (self.path, left) = (path, moment) }

    private var isNow: Bool {
      left -= 1
      if left == -1 { hasFailed = true }
      return left == -1
    }

    func willWrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(PageError) {
      if !isNow { return }
      let descriptor = open(path, O_RDWR)
      pwrite(descriptor, bytes.baseAddress!, bytes.count / 2, off_t(offset))
      close(descriptor)
      throw .system(ENOSPC)
    }

    func willSynchronise() throws(PageError) { if isNow { throw .system(EIO) } }
    func didSynchronise() {}
    func willStore() {}
  }

  @Test func whatThrewIsNeverSeen() throws {
    var moment = 0
    while true {
      let path = folder.path("\(moment).pages")
      try PageStore(path: path, options: .init(mapLimit: 1 << 28)).close()
      let failures = Failures(path: path, moment: moment)
      if try !work(path, failures) { break }
      moment += 1
    }
    #expect(moment > 20)
  }

  /// Returns whether a call has failed.
  private func work(_ path: String, _ failures: Failures) throws -> Bool {
    var script = ScriptedTransactions()
    var (seen, durable) = (0, 0)
    do {
      let store = try PageStore(
        path: path, options: .init(mapLimit: 1 << 28, chainLimit: 3, smallSize: 0, watcher: failures))
      var isPoisoned = false
      for step in 0..<12 {
        do {
          if step % 5 == 4 {
            try store.synchronise()
            durable = seen
          } else {
            let isFull = step % 3 == 1
            seen = try ScriptedTransactions.perform(store, isFull ? .full : .relaxed)
            if isFull { durable = seen }
          }
          #expect(!isPoisoned)
        } catch PageError.poisoned {
          #expect(failures.hasFailed)
          isPoisoned = true
        } catch PageError.system { isPoisoned = store.memory[.poisoned] != 0 }
        #expect(try PageVersion.with(store) { try script.check($0) } == seen)
      }
      try? store.close()
    } catch is PageError {}
    let store = try PageStore(path: path, options: .init(mapLimit: 1 << 28))
    let count = try PageVersion.with(store) { try script.check($0) }
    // After a synchronisation that failed, the disk may not have what had not been synchronised before.
    #expect(durable...seen ~= count, "\(failures.path)")
    try ScriptedTransactions.perform(store, .full)
    #expect(try PageVersion.with(store) { try script.check($0) } == count + 1)
    try store.close()
    return failures.hasFailed
  }

  @Test(arguments: [nil, [UInt8](repeating: 7, count: 64)]) func aFileThatCouldNotBeMadeCanBeMadeLater(
    key: [UInt8]?
  ) throws {
    var moment = 0
    while true {
      let path = folder.path("new-\(moment)-\(key != nil).pages")
      // Also where a former attempt has left zeros.
      if moment % 2 == 1 { try Data(count: 16_384).write(to: URL(fileURLWithPath: path)) }
      let failures = Failures(path: path, moment: moment / 2)
      do throws(PageError) {
        try PageStore(path: path, options: .init(mapLimit: 1 << 28, key: key, watcher: failures)).close()
        #expect(!failures.hasFailed)
      } catch {
        #expect(failures.hasFailed)
      }
      let store = try PageStore(path: path, options: .init(mapLimit: 1 << 28, key: key))
      try ScriptedTransactions.perform(store, .full)
      try store.close()
      if !failures.hasFailed { break }
      moment += 1
    }
    #expect(moment > 4)
  }

  /// A slot that was written in part is no damage once a process has opened the file for writing.
  @Test func aSlotThatWasWrittenInPartIsCleared() throws {
    let path = folder.path("slot.pages")
    let store = try PageStore(path: path, options: .init(mapLimit: 1 << 28))
    for _ in 0..<20 { try ScriptedTransactions.perform(store, .full) }
    try store.close()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: 3 * 4096)
    try file.write(contentsOf: Data("ORPages5 and the rest of another".utf8))
    #expect(try PageVersion.hasUnreadableSlot(ofFile: path, key: nil))
    try PageStore(path: path, options: .init(mapLimit: 1 << 28)).close()
    #expect(try !PageVersion.hasUnreadableSlot(ofFile: path, key: nil))
  }

  @Test(arguments: [PageDurability.relaxed, .full])
  func aDiskWithoutSpaceForZerosIsWrittenWhenThereIsSome(durability: PageDurability) throws {
    let path = folder.path("full-\(durability).pages")
    let outage = Outage(path: path)
    var script = ScriptedTransactions()
    do {
      let store = try PageStore(path: path, options: .init(mapLimit: 1 << 28, watcher: outage))
      for _ in 0..<3 { try ScriptedTransactions.perform(store, .relaxed) }
      outage.isOut = true
      for _ in 0..<3 {
        #expect(throws: PageError.system(ENOSPC)) { try ScriptedTransactions.perform(store, durability) }
      }
      outage.isOut = false
      #expect(try ScriptedTransactions.perform(store, durability) == 4)
      #expect(try ScriptedTransactions.perform(store, .relaxed) == 5)
    }
    let store = try PageStore(path: path, options: .init(mapLimit: 1 << 28))
    #expect(try PageVersion.with(store) { try script.check($0) } == 5)
    try store.close()
  }

  @Test func aRecordThatCannotBeErasedTakesNoVersionBack() throws {
    let path = folder.path("unerased.pages")
    let outage = Outage(path: path)
    var script = ScriptedTransactions()
    do {
      let store = try PageStore(path: path, options: .init(mapLimit: 1 << 28, watcher: outage))
      for _ in 0..<3 { try ScriptedTransactions.perform(store, .relaxed) }
      (outage.isOut, outage.unnoticed) = (true, 1)
      #expect(throws: PageError.system(ENOSPC)) { try ScriptedTransactions.perform(store, .relaxed) }
      outage.isOut = false
      #expect(throws: PageError.poisoned) { try ScriptedTransactions.perform(store, .relaxed) }
      #expect(try PageVersion.with(store) { try script.check($0) } == 3)
    }
    let store = try PageStore(path: path, options: .init(mapLimit: 1 << 28))
    #expect(try PageVersion.with(store) { try script.check($0) } == 3)
    #expect(try ScriptedTransactions.perform(store, .relaxed) == 4)
    try store.close()
  }

  @Test(arguments: [false, true])
  func anOpeningThatFailsAfterAFailureIsTriedAgain(isUnerased: Bool) throws {
    var failed = 0
    for moment in 0..<12 {
      let path = folder.path("again-\(isUnerased)-\(moment).pages")
      let outage = Outage(path: path)
      let options = PageStore.Options(mapLimit: 1 << 28, watcher: outage)
      var script = ScriptedTransactions()
      do {
        let store = try PageStore(path: path, options: options)
        for _ in 0..<3 { try ScriptedTransactions.perform(store, .full) }
        (outage.isOut, outage.unnoticed) = (isUnerased, 1)
        if isUnerased {
          #expect(throws: PageError.system(ENOSPC)) { try ScriptedTransactions.perform(store, .relaxed) }
        } else {
          try ScriptedTransactions.perform(store, .relaxed)
          store.memory[.poisoned] = LockMemory.Poison.unsynchronised
        }
      }
      for _ in 0..<2 {
        (outage.isOut, outage.left, outage.unnoticed) = (true, moment, 0)
        do { _ = try PageStore(path: path, options: options) } catch PageError.system { failed += 1 }
      }
      let store = try PageStore(path: path, options: .init(mapLimit: 1 << 28))
      #expect(try PageVersion.with(store) { try script.check($0) } == 3, "\(moment)")
      #expect(try ScriptedTransactions.perform(store, .full) == 4)
      try store.close()
    }
    #expect(failed > 1)
  }

  /// The slots of a new file have their space, so that none is missing when a failure is put right.
  @Test func aFullDiskCanBeOpenedAfterAFailure() throws {
    let path = folder.path("slots.pages")
    do {
      let store = try PageStore(path: path, options: .init(mapLimit: 1 << 28))
      try ScriptedTransactions.perform(store, .full)
      store.memory[.poisoned] = LockMemory.Poison.unsynchronised
    }
    final class Beyond: StoreWatcher {
      func willWrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(PageError) {
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        // As if there were no space but that which the file has. `SEEK_HOLE` is hidden from Swift.
        let end = lseek(descriptor, off_t(offset), 4)
        if end < offset + bytes.count { throw .system(ENOSPC) }
      }
      func willSynchronise() {}
      func didSynchronise() {}
      func willStore() {}
      let path: String
      init(_ path: String) { self.path = path }
    }
    let store = try PageStore(path: path, options: .init(mapLimit: 1 << 28, watcher: Beyond(path)))
    var script = ScriptedTransactions()
    #expect(try PageVersion.with(store) { try script.check($0) } == 1)
    try store.close()
  }

  /// The disk may have anything of what a failed synchronisation was to bring.
  @Test func afterAFailedSynchronisationTheDurableVersionIsBack() throws {
    var random = SeededGenerator(printing: .random(in: 0..<1 << 32))
    for round in 0..<TestLength.count(40, long: 1000) {
      let path = folder.path("poisoned-\(round).pages")
      let recorder = DiskRecorder()
      var disk = RecordedDisk()
      let failures = Failures(path: path, moment: .max)
      var script = ScriptedTransactions()
      let options = PageStore.Options(
        mapLimit: 1 << 28, chainLimit: 3, smallSize: 0, watcher: Both(recorder, failures))
      let store = try PageStore(path: path, options: options)
      for _ in 0..<Int.random(in: 1..<20, using: &random) {
        try ScriptedTransactions.perform(store, Bool.random(using: &random) ? .full : .relaxed)
      }
      try store.synchronise()
      let durable = try PageVersion.with(store) { try script.check($0) }
      for event in recorder.events { disk.take(event) }
      let known = recorder.events.count
      for _ in 0..<Int.random(in: 1..<20, using: &random) {
        try ScriptedTransactions.perform(store, .relaxed)
      }
      failures.left = 0
      #expect(throws: PageError.system(EIO)) { try store.synchronise() }
      #expect(throws: PageError.poisoned) { try PageTransaction(store) }
      try store.close()
      for event in recorder.events[known...] { disk.take(event) }
      // In memory it is as it was, and on the disk is what it was or became.
      let failure = RecordedDisk.Failure.allCases.randomElement(using: &random)!
      let image = disk.image(failure, &random)
      let descriptor = open(path, O_WRONLY | O_TRUNC)
      #expect(write(descriptor, image, image.count) == image.count)
      close(descriptor)
      let reopened = try PageStore(path: path, options: .init(mapLimit: 1 << 28))
      #expect(try PageVersion.with(reopened) { try script.check($0) } == durable, "\(failure)")
      try ScriptedTransactions.perform(reopened, .full)
      try reopened.close()
    }
  }

  private final class Both: StoreWatcher {
    let first: DiskRecorder
    let second: Failures

    init(_ first: DiskRecorder, _ second: Failures) { (self.first, self.second) = (first, second) }

    func willWrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(PageError) {
      try first.willWrite(bytes, at: offset)
      try second.willWrite(bytes, at: offset)
    }

    func willSynchronise() throws(PageError) {
      try second.willSynchronise()
      try first.willSynchronise()
    }

    func didSynchronise() { first.didSynchronise() }
    func willStore() {}
  }
}
