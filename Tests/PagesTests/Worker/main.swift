// A program that works on a file of pages until it is killed, or dies by itself at a certain moment.
//
// write FILE NOTES NUMBER SEED   transactions, each noted when it was acknowledged
// live FILE NOTES                transactions, versions, openings, viewers, while calls of the system may fail; 0 when all is as it
//                                must be; notes 0: transactions acknowledged, 1: those that the disk has,
//                                2: not 0 when some were lost
// die FILE MOMENT                a few transactions; ends with status 9 before the moment-th thing that it stores or writes
// view FILE USER COUNT           becomes another user, and holds and verifies the newest version so many times; 0 when each was whole
//                                and none older than the one before
// walk FILE WAY LIMIT PIECE      reads all, and prints the number of entries and by how many KiB the memory of the process grew

import LibC
import Pages
import PagesTestSupport

let arguments = CommandLine.arguments
switch arguments[1] {
case "write":
  let notes = try Notes(path: arguments[3])
  let store = try PageStore(
    path: arguments[2], options: .init(mapLimit: 1 << 28, key: encryptionKey(arguments[2])))
  try write(store, notes, number: Int(arguments[4])!, seed: UInt64(arguments[5])!)
case "live": try FailingLife(arguments[2], Notes(path: arguments[3])).run()
case "view":
  let user = UInt32(arguments[3])!
  precondition(setgroups(0, nil) == 0 && setgid(user) == 0 && setuid(user) == 0)
  try view(arguments[2], count: Int(arguments[4])!)
case "walk": try Walk.run(arguments[2], arguments[3], limit: Int(arguments[4])!, piece: Int(arguments[5])!)
case "die":
  let watcher = Death(path: arguments[2], moment: Int(arguments[3])!)
  let store = try PageStore(
    path: arguments[2],
    options: .init(mapLimit: 1 << 28, key: encryptionKey(arguments[2]), watcher: watcher))
  for number in 0..<4 {
    let version = try PageVersion(store)
    try ScriptedTransactions.perform(store, number == 1 ? nil : number == 2 ? .full : .relaxed)
    if number == 0 { try store.synchronise() }
    version.release()
  }
  try store.close()
default: fatalError("\(arguments)")
}

func view(_ path: String, count: Int) throws {
  precondition(access(path + "-lock", R_OK) != 0)
  var script = ScriptedTransactions()
  var viewer = try PageViewer(path: path, mapLimit: 1 << 28, key: encryptionKey(path))
  var last = 0
  for number in 0..<count {
    if number % 8 == 7 { viewer = try PageViewer(path: path, mapLimit: 1 << 28, key: encryptionKey(path)) }
    let version = try viewer.hold()
    let found = try script.check(version)
    if found < last { throw WrongContents("\(found) transactions after \(last)") }
    last = found
    // What is overwritten meanwhile is found.
    if number % 4 == 0 {
      usleep(5000)
      if try script.check(version) != found { throw WrongContents("another version") }
    }
    version.release()
  }
}

/// - Parameter number: Of this one among those that write.
func write(_ store: PageStore, _ notes: Notes, number: Int, seed: UInt64) throws -> Never {
  var script = ScriptedTransactions()
  var word = seed | 1
  while true {
    word ^= word << 13
    word ^= word >> 7
    word ^= word << 17
    if word % 16 == 0 { try PageVersion.with(store) { _ = try script.check($0) } }
    let count = try ScriptedTransactions.perform(store, word >> 8 & 3 == 0 ? .full : .relaxed)
    notes.set(number, count)
    if word >> 16 & 15 == 0 { try store.synchronise() }
  }
}

/// Ends the process before the file or the shared memory becomes what it would. Of a write, a part has happened.
final class Death: StoreWatcher {
  private let path: String
  private var left: Int

  init(path: String, moment: Int) { (self.path, left) = (path, moment) }

  private var isNow: Bool {
    left -= 1
    return left < 0
  }

  func willWrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    if !isNow { return }
    let part = bytes.count / 2 & ~511
    let descriptor = open(path, O_RDWR)
    pwrite(descriptor, bytes.baseAddress!, part, off_t(offset))
    _exit(9)
  }

  func willSynchronise() { if isNow { _exit(9) } }
  func didSynchronise() { if isNow { _exit(9) } }
  func willStore() { if isNow { _exit(9) } }
}
