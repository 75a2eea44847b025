import LibC
import Pages
import PagesTestSupport

/// All that a program does with a file, while any call of the system may fail. It goes on after each failure, as programs do.
final class FailingLife {
  private let path: String
  private let notes: Notes
  private var store: PageStore?
  private var script = ScriptedTransactions()

  init(_ path: String, _ notes: Notes) { (self.path, self.notes) = (path, notes) }

  /// Throws what must not happen: wrong contents, damage, or that nothing can be written in the end.
  func run() throws {
    var failures = 0
    // Also openings after relaxed commits that nobody has confirmed.
    let kinds = [0, 1, 7, 0, 2, 3, 4, 5, 1, 6]
    for step in 0..<40 {
      do {
        try perform(kinds[step % kinds.count])
      } catch let error as PageError {
        try accept(error)
        failures += 1
      }
    }
    for kind in [2, 5, 6] {
      while failures <= 3 {
        do {
          try perform(kind)
          break
        } catch let error as PageError {
          try accept(error)
          failures += 1
        }
      }
    }
    if failures > 3 { throw WrongContents("one failure has led to \(failures)") }
  }

  private func accept(_ error: PageError) throws {
    switch error {
    case .poisoned, .replaced: store = nil
    case .system: break
    default: throw error
    }
  }

  private func opened() throws -> PageStore {
    if let store { return store }
    let new = try PageStore(
      path: path,
      options: .init(
        mapLimit: 1 << 28, chainLimit: 3, key: encryptionKey(path), decryptedLimit: 20_000))
    store = new
    return new
  }

  private func perform(_ kind: Int) throws {
    let store = try opened()
    switch kind {
    case 0, 1: note(try ScriptedTransactions.perform(store, .relaxed))
    case 2:
      let count = try ScriptedTransactions.perform(store, .full)
      note(count)
      notes.set(1, count)
    case 3:
      try ScriptedTransactions.perform(store, nil)
      let count = notes[0]
      try store.synchronise()
      notes.set(1, count)
    case 4: try PageVersion.with(store) { try compare($0) }
    case 5:
      let version = try PageViewer(path: path, mapLimit: 1 << 28, key: encryptionKey(path)).hold()
      defer { version.release() }
      try compare(version)
    case 6:
      self.store = nil
      try store.close()
    default:
      // As when the program ends at once, and the lock file is removed before the next one begins.
      self.store = nil
      unlink(path + "-lock")
    }
  }

  private func note(_ count: Int) {
    if count <= notes[0] { notes.set(2, 1) }
    notes.set(0, count)
  }

  /// What was acknowledged is there, and at most what came afterwards and threw, or was lost with a synchronisation that failed.
  private func compare(_ version: PageVersion) throws {
    let count = try script.check(version)
    if count < notes[1] { throw WrongContents("\(count) transactions of \(notes[1])") }
  }
}
