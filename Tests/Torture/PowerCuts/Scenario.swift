import Foundation
import LibC
import ProcessTestModels
import RealmSwift
import Storage
import TestSupport

/// A process that makes transactions of all kinds, one after the other, at random, and marks in the record which of them
/// it was told are on the disk.
///
/// State that has to do with the realm is touched on the queue only.
final class Scenario: @unchecked Sendable {
  private let path: String
  private let key: [UInt8]?
  /// Whether no other process uses the file.
  private let isAlone: Bool
  private let marks: Int32
  /// Calls may fail from when this file is there.
  private let armed: String
  private let queue = DispatchQueue(label: "scenario")
  private var mosaic: Mosaic?
  private var file: DatabaseFile?
  private var random: SeededGenerator
  /// Asynchronous transactions whose completion was not called yet.
  private let pending = Mutex(0)
  private let firstFailure = Mutex<String?>(nil)

  /// Where a copy is, beside the file at a path.
  static func copyPath(_ path: String) -> String { path + ".copy" }

  init(folder: String, name: String, seed: UInt64, isAlone: Bool) {
    self.isAlone = isAlone
    path = folder + "/" + name
    key = Ledger.encryptionKey(path).map(Array.init)
    armed = folder + "/armed"
    marks = open(folder + "/told.marks", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    random = SeededGenerator(seed: seed)
  }

  private func mark(_ text: String) {
    let bytes = Array("\(text)\n".utf8)
    precondition(write(marks, bytes, bytes.count) == bytes.count)
  }

  private func close() {
    mosaic = nil
    file = nil
  }

  private func openMosaic(isMigrated: Bool = false) throws {
    mosaic = try Mosaic(path: path, queue: queue, isMigrated: isMigrated)
    file = try DatabaseFile.open(path: path, encryptionKey: key)
  }

  func run(steps: Int) throws {
    try queue.sync {
      try openMosaic()
      try mosaic!.lay()
    }
    mark("0")
    LibC.close(open(armed, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644))
    for _ in 0..<steps {
      let kind = Int.random(in: 0..<18, using: &random)
      switch kind {
      case 0...2: writeDurably()
      case 3...7:
        writeAsynchronously(Int.random(in: 1...6, using: &random), grouped: Bool.random(using: &random))
      case 12: writeAsynchronously(Int.random(in: 20...40, using: &random), grouped: false)
      case 8:
        // Joins those before.
        writeAsynchronously(Int.random(in: 1...3, using: &random), grouped: false)
        writeDurably()
      case 15:
        // Several chains of records.
        for _ in 0..<Int.random(in: 10...30, using: &random) { writeDurably(isQuick: true) }
      case 9: usleep(UInt32.random(in: 0...2000, using: &random))
      case 10: waitForCompletions()
      case 13: try reopen { try self.migrate() }
      case 14: try reopen { try self.compact() }
      case 16, 17: copy()
      default:
        let isDue = firstFailure.withLock { $0 != nil } || Int.random(in: 0..<4, using: &random) == 0
        if isDue { try reopen() }
      }
    }
    waitForCompletions()
    queue.sync { close() }
  }

  /// How long a transaction is open, in microseconds: now and then as long as the disk takes for something.
  private func nextPause() -> UInt32 {
    Bool.random(using: &random) ? 0 : UInt32.random(in: 0...4000, using: &random)
  }

  private func writeDurably(isQuick: Bool = false) {
    let pause = isQuick ? 0 : nextPause()
    queue.sync {
      do {
        let number = try mosaic!.realm.write {
          usleep(pause)
          return mosaic!.change()
        }
        mark("\(number)")
      } catch {
        fail(error)
      }
    }
  }

  private func writeAsynchronously(_ count: Int, grouped: Bool) {
    pending.withLock { $0 += count }
    let pauses = (0..<count).map { _ in nextPause() }
    queue.sync {
      for pause in pauses {
        let mosaic = mosaic!
        mosaic.realm.beginAsyncWrite { [self] in
          let before = file!.newestVersion
          usleep(pause)
          let number = mosaic.change()
          mosaic.realm.commitAsyncWrite(allowGrouping: grouped) { [self] error in
            if let error { fail(error) } else { mark("\(number)") }
            pending.withLock { $0 -= 1 }
          }
          // Told on the thread that synchronises, while the queue is busy.
          let version = file!.newestVersion
          if version > before { file!.whenSynced(version) { [self] in if $0 == nil { mark("\(number)") } } }
        }
      }
    }
  }

  private func waitForCompletions() {
    for _ in 0..<100_000 where pending.withLock({ $0 > 0 }) { usleep(100) }
    precondition(pending.withLock { $0 } == 0, "completions did not come")
  }

  /// Where others use the file, they would have to go along with another schema version.
  private func migrate() throws {
    guard isAlone else { return }
    try openMosaic(isMigrated: true)
    mark("\(mosaic!.number)")
    close()
  }

  private func compact() throws {
    try Realm.compact(at: URL(fileURLWithPath: path), encryptionKey: Ledger.encryptionKey(path))
  }

  /// Writes a copy, or another file that begins with this one, in place of a former copy.
  private func copy() {
    guard isAlone else { return }
    let isSeed = Bool.random(using: &random)
    let copy = Self.copyPath(path)
    let url = URL(fileURLWithPath: copy)
    queue.sync {
      mark("copying")
      do {
        _ = try Realm.deleteFiles(for: Realm.Configuration(fileURL: url, objectTypes: []))
        var number = mosaic!.number
        if isSeed {
          number = try Mosaic(path: copy, queue: queue, seed: path).number
        } else {
          try mosaic!.realm.writeCopy(toFile: url, encryptionKey: Ledger.encryptionKey(path))
        }
        mark("copied \(number)")
      } catch {
        fail(error)
      }
    }
  }

  /// - Parameter body: What is done while the file is closed, and may fail where calls do.
  private func reopen(_ body: () throws -> Void = {}) throws {
    waitForCompletions()
    queue.sync { close() }
    // Whoever brings commits to the disk may still have the file open.
    usleep(UInt32.random(in: 0...3000, using: &random))
    try queue.sync {
      do { try body() } catch { fail(error) }
      close()
      // After a failure the file is put right by the first who opens it, which the disk may not take at once.
      for attempt in 1...10 {
        do {
          try openMosaic()
          break
        } catch {
          if attempt == 10 { throw error }
        }
      }
      if let fault = mosaic!.fault { mark("fault \(fault)") }
    }
    firstFailure.withLock { $0 = nil }
  }

  private func fail(_ error: any Error) {
    firstFailure.withLock { if $0 == nil { $0 = "\(error)" } }
  }
}
