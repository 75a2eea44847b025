import Foundation
import PagesTestSupport
import TestSupport
import Testing

@testable import Pages

/// A file as a power failure may leave it opens with a whole version, none older than what was acknowledged.
@Suite struct PowerFailureTests {
  private let folder = ScratchFolder()

  @Test func noAcknowledgedVersionIsLost() throws {
    var random = SeededGenerator(printing: .random(in: 0..<1 << 32))
    let histories = TestLength.count(4, long: 500)
    var newer = 0
    for history in 0..<histories {
      let recorder = DiskRecorder()
      let workload = try Workload(
        folder.path(history % 2 == 0 ? "\(history).pages" : "\(history)-sealed.pages"),
        SeededGenerator(seed: random.next()), keys: 100,
        watcher: recorder)
      workload.recorder = recorder
      for _ in 0..<250 { try workload.step() }
      try workload.end()
      try failEverywhere(recorder.events, workload, &random, &newer)
    }
    // Versions that were not waited for are found, too.
    #expect(newer > 0)
  }

  /// One failure after the other, and after each what was lost is done again, exactly as before: records of what was lost still
  /// lie where the new ones are expected.
  @Test func whatIsLostMayBeDoneAgain() throws {
    var random = SeededGenerator(printing: .random(in: 0..<1 << 32))
    for history in 0..<TestLength.count(60, long: 6000) {
      let path = folder.path(history % 2 == 0 ? "again-\(history).pages" : "again-\(history)-sealed.pages")
      var image: [UInt8] = []
      var count = 0
      for failure in 0..<8 {
        let recorder = DiskRecorder()
        try work(path, recorder, &random)
        var disk = RecordedDisk(image)
        for event in recorder.events[..<Int.random(in: 1...recorder.events.count, using: &random)] {
          disk.take(event)
        }
        image = disk.image(.allCases.randomElement(using: &random)!, &random)
        // The disk may be restored to another file.
        if history % 4 > 1 { try moveToCopy(path) }
        try replaceFile(path, image)
        // A file that was only being made may be nothing yet.
        if !disk.hasSynchronised { break }
        var script = ScriptedTransactions()
        let viewer = try PageViewer(path: path, mapLimit: 1 << 28, key: encryptionKey(path))
        let version = try viewer.hold()
        let found = try script.check(version)
        version.release()
        #expect(found >= max(count, Int(disk.acknowledged)), "history \(history), failure \(failure)")
        count = max(count, Int(disk.acknowledged))
      }
    }
  }

  /// What an aborted transaction wrote behind the end of the file need not reach the disk, so a file without it is not truncated.
  @Test func aFileWithoutWhatAnAbortedTransactionWroteIsWhole() throws {
    for name in ["aborted.pages", "aborted-sealed.pages"] {
      let path = folder.path(name)
      let options = PageStore.Options(mapLimit: 1 << 28, key: encryptionKey(path))
      let store = try PageStore(path: path, options: options)
      for _ in 0..<20 { try ScriptedTransactions.perform(store, .full) }
      let size = try store.file.size
      let aborted = try PageTransaction(store)
      let value = TestValue(stamp: 1, size: 1 << 16)
      for number in 0..<320 {
        try key(number).withUnsafeBytes { value.write(try aborted.reserve($0, value.size)) }
      }
      aborted.abort()
      try store.close()
      let bytes = Array(try Data(contentsOf: URL(filePath: path)))
      #expect(bytes.count > size)
      try replaceFile(path, Array(bytes[..<size]))
      let opened = try PageStore(path: path, options: options)
      var script = ScriptedTransactions()
      #expect(try PageVersion.with(opened) { try script.check($0) } == 20)
      try opened.close()
    }
  }

  /// Puts a copy of a file in its place.
  private func moveToCopy(_ path: String) throws {
    let copy = folder.path("copy")
    try Data(contentsOf: URL(filePath: path)).write(to: URL(filePath: copy))
    #expect(rename(copy, path) == 0)
  }

  private func work(_ path: String, _ recorder: DiskRecorder, _ random: inout SeededGenerator) throws {
    let store = try PageStore(
      path: path,
      options: .init(
        mapLimit: 1 << 28, chainLimit: [2, 5, 32, nil].randomElement(using: &random)!,
        smallSize: [0, 8 << 20].randomElement(using: &random)!,
        key: encryptionKey(path), watcher: recorder))
    for _ in 0..<Int.random(in: 1..<12, using: &random) {
      let isFull = Int.random(in: 0..<6, using: &random) == 0
      let count = try ScriptedTransactions.perform(store, isFull ? .full : .relaxed)
      if isFull { recorder.noteDurable(UInt64(count)) }
    }
    try store.close()
  }

  private func failEverywhere(
    _ events: [DiskRecorder.Event], _ workload: Workload, _ random: inout SeededGenerator,
    _ newer: inout Int
  ) throws {
    // From the moment on at which the disk has the new file.
    let points = (0..<200).map { _ in Int.random(in: 4..<events.count, using: &random) }.sorted()
    var disk = RecordedDisk()
    var taken = 0
    for point in points {
      while taken < point {
        disk.take(events[taken])
        taken += 1
      }
      let failure = RecordedDisk.Failure.allCases.randomElement(using: &random)!
      try replaceFile(workload.path, disk.image(failure, &random))
      do {
        if try open(workload.path, workload, disk.acknowledged, &random) { newer += 1 }
      } catch {
        Issue.record("\(failure), after \(point) of \(events.count) events: \(error)")
      }
    }
  }

  /// Returns whether the version is newer than what was acknowledged.
  private func open(
    _ path: String, _ workload: Workload, _ acknowledged: UInt64, _ random: inout SeededGenerator
  ) throws -> Bool {
    let options = PageStore.Options(mapLimit: 1 << 28, key: encryptionKey(path))
    var store = try PageStore(path: path, options: options)
    // The number is another one when versions were lost.
    var contents = try PageVersion.with(store) { try workload.contentsFound($0, acknowledged) }
    let isNewer = contents.version > acknowledged
    if Int.random(in: 0..<4, using: &random) == 0 {
      // Life goes on.
      for round in 0..<3 {
        let transaction = try PageTransaction(store)
        let value = TestValue(stamp: UInt32(900_000 + round), size: 3000)
        try key(round).withUnsafeBytes { value.write(try transaction.reserve($0, 3000)) }
        contents.contents[round] = value
        try transaction.commit(round == 1 ? .relaxed : .full)
      }
      try store.close()
      store = try PageStore(path: path, options: options)
      try PageVersion.with(store) { try check(.version($0), contents.contents) }
    }
    try store.close()
    return isNewer
  }
}

extension Workload {
  /// The version whose contents these are: the newest one that fits.
  func contentsFound(
    _ version: PageVersion, _ acknowledged: UInt64
  ) throws -> (version: UInt64, contents: TestContents) {
    var found: TestContents = [:]
    var cursor = PageCursor(.version(version))
    var isThere = try cursor.moveToFirst()
    while isThere {
      let value = try cursor.value()
      found[number(ofKey: cursor.key)] = TestValue(
        stamp: value.loadUnaligned(as: UInt32.self), size: value.count)
      isThere = try cursor.moveToNext()
    }
    guard let number = contents.filter({ $0.value == found }).keys.max() else {
      throw WrongContents("version \(version.version) never was")
    }
    if number < acknowledged { throw WrongContents("version \(number), \(acknowledged) was acknowledged") }
    try check(.version(version), found)
    return (number, found)
  }
}
