import Foundation
import OfficialConversion
import ProcessTestModels
import RealmSwift
import Storage

// A process that the tests start, and often kill. It tells its progress in numbers, one a line.
//
//   RealmTestWorker loop <path>            makes transactions until it is killed
//   RealmTestWorker write <path> <writer> <count>   makes some, and ends
//   RealmTestWorker hold <path>            begins a transaction, says so, and never ends it
//   RealmTestWorker vanish <path>          makes a transaction, and dies before it can tell anybody
//   RealmTestWorker async <path>           makes asynchronous transactions until it is killed; tells those on the disk
//   RealmTestWorker seed <path> <seed>     opens a realm with a seed, and tells the number of transactions
//   RealmTestWorker convert <path>         opens a file of the official SDK, and tells how many objects of a class it has
//   RealmTestWorker earlier <path>         opens a file of an earlier format, and tells how many objects of a class it has
//   RealmTestWorker convert-some <path> <count>   converts it, and dies when so many objects are written
//   RealmTestWorker turn <path>            makes asynchronous transactions on the main thread, and waits for the first within
//                                          another one; tells those that are done
//   RealmTestWorker compact <path>         compacts the file until it is killed; tells how often that was done
//   RealmTestWorker tickets <path> <writer> <count>   makes so many tickets, and tells the number that each gets
//   RealmTestWorker anew <path> <count>    deletes a file of an earlier version, makes so many seats, and tells their numbers
//   RealmTestWorker seats <path> <count>   takes the seats that nobody has, and tells which
//   RealmTestWorker descriptors <folder>   opens 16 files, the first with no descriptor left, each next one with one more;
//                                          tells 1 for those that it could write to, 0 for errors
//   RealmTestWorker few-descriptors <path> <limit>   opens the file on the main thread with so many descriptors at most, and
//                                          writes; tells 1, or 0 for an error that names the reason
//   RealmTestWorker threadless <path> <count>   makes so many durable transactions with no threads to be had; tells each
//   RealmTestWorker failing-disk <path> <file>   makes durable transactions, makes the file, from which on nothing can be synced,
//                                          and one more transaction; tells the number that it shows then, and waits
//   RealmTestWorker failing-reads <path> <file>   makes a transaction, and another one while the file is there, during which nothing
//                                          can be read from the disk and which must fail; tells the numbers of the first and of a third one
//   RealmTestWorker copy <path> <new>      writes a copy, for which there must be too few descriptors
//   RealmTestWorker follow <path>          tells the number of transactions whenever it hears of a new one
//   RealmTestWorker sample <path> <user> <count>   becomes another user ("-": does not), and opens the file so many times to
//                                          read it; tells the number of transactions each time, -1 when the content is wrong
//                                          and -2 when it is not opened
//   RealmTestWorker freeze <path>          keeps the newest version for ever; tells the number of transactions, and how many
//                                          readers in other containers there are

func say(_ number: Int) {
  FileHandle.standardOutput.write(Data("\(number)\n".utf8))
}

let arguments = CommandLine.arguments
switch arguments[1] {
case "loop":
  let ledger = try Ledger(path: arguments[2])
  say(0)
  while true { say(try ledger.append()) }
case "write":
  let ledger = try Ledger(path: arguments[2], durability: .relaxed)
  for _ in 0..<Int(arguments[4])! { say(try ledger.append(writer: arguments[3])) }
case "hold":
  let ledger = try Ledger(path: arguments[2])
  ledger.realm.beginWrite()
  ledger.realm.deleteAll()
  say(0)
  while true { pause() }
case "vanish":
  let ledger = try Ledger(path: arguments[2])
  let file = try DatabaseFile.open(
    path: arguments[2], encryptionKey: Ledger.encryptionKey(arguments[2]).map(Array.init))
  let version = file.newestVersion
  // Those of its own process are told first.
  let subscription = file.subscribeToCommits {
    if file.newestVersion > version { kill(getpid(), SIGKILL) }
  }
  try ledger.append()
  withExtendedLifetime(subscription) {}
case "async":
  let queue = DispatchQueue(label: "async")
  try queue.sync {
    let ledger = try Ledger(path: arguments[2], queue: queue)
    say(0)
    @Sendable func next(_ ledger: Ledger) {
      ledger.realm.beginAsyncWrite {
        let number = ledger.change()
        ledger.realm.commitAsyncWrite(allowGrouping: true) { error in
          precondition(error == nil)
          say(number)
        }
        next(ledger)
      }
    }
    next(ledger)
  }
  while true { pause() }
case "descriptors":
  // Not in a test's own process, nor on the main thread: dispatch ends a program whose queues find no descriptor.
  var few = rlimit(rlim_cur: 64, rlim_max: 64)
  precondition(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &few) == 0)
  nonisolated(unsafe) var taken: [Int32] = []
  while case let descriptor = open("/dev/null", O_RDONLY), descriptor >= 0 { taken.append(descriptor) }
  let isDone = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    for number in 0..<16 {
      do {
        try Ledger(path: arguments[2] + "/\(number).realm").append()
        say(1)
      } catch {
        precondition(error is Realm.Error, "\(error)")
        say(0)
      }
      close(taken.removeLast())
    }
    isDone.signal()
  }
  isDone.wait()
case "few-descriptors":
  let limit = rlim_t(arguments[3])!
  var few = rlimit(rlim_cur: limit, rlim_max: limit)
  precondition(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &few) == 0)
  do {
    let ledger = try Ledger(path: arguments[2])
    for _ in 0..<20 { try ledger.append() }
    say(1)
  } catch let error as Realm.Error {
    precondition(error.localizedDescription.contains("Too many open files"), "\(error)")
    say(0)
  }
case "failing-disk":
  let ledger = try Ledger(path: arguments[2])
  for _ in 0..<20 { try ledger.append() }
  precondition(FileManager.default.createFile(atPath: arguments[3], contents: nil))
  do {
    try ledger.append()
    fatalError("it was not synced")
  } catch let error as Realm.Error {
    precondition(error.localizedDescription.contains("could not be synced"), "\(error)")
  }
  precondition(!ledger.realm.refresh())
  let path = arguments[2]
  let number = ledger.number
  let isDone = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    precondition(try! Ledger(path: path).number == number)
    isDone.signal()
  }
  isDone.wait()
  say(number)
  while true { pause() }
case "failing-reads":
  let ledger = try Ledger(path: arguments[2])
  say(try ledger.append())
  precondition(FileManager.default.createFile(atPath: arguments[3], contents: nil))
  do {
    try ledger.append()
    fatalError("it was not read")
  } catch let error as Realm.Error {
    precondition(error.localizedDescription.contains("Input/output error"), "\(error)")
  }
  try FileManager.default.removeItem(atPath: arguments[3])
  say(try ledger.append())
case "copy":
  do {
    try Ledger(path: arguments[2]).realm.writeCopy(toFile: URL(fileURLWithPath: arguments[3]))
    fatalError("there is a descriptor")
  } catch let error as Realm.Error {
    precondition(error.localizedDescription.contains("Too many open files"), "\(error)")
  }
case "threadless":
  // A program that waits for ever ends.
  alarm(300)
  var none = rlimit(rlim_cur: 0, rlim_max: 0)
  precondition(setrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &none) == 0)
  // The limit is none for root.
  precondition(getuid() != 0 || setgid(65_534) == 0 && setuid(65_534) == 0)
  var thread = pthread_t()
  precondition(pthread_create(&thread, nil, { _ in nil }, nil) == EAGAIN)
  let ledger = try Ledger(path: arguments[2])
  for _ in 0..<Int(arguments[3])! { say(try ledger.append()) }
case "seed":
  say(try Ledger(path: arguments[2], seed: arguments[3]).number)
case "convert":
  let configuration = Realm.Configuration(
    fileURL: URL(fileURLWithPath: arguments[2]), schemaVersion: 7, objectTypes: [], officialFile: .convert)
  say(try Realm(configuration: configuration).dynamicObjects("Person").count)
case "earlier":
  let configuration = Realm.Configuration(
    fileURL: URL(fileURLWithPath: arguments[2]), schemaVersion: 1, objectTypes: [])
  say(try Realm(configuration: configuration).dynamicObjects("Cat").count)
case "convert-some":
  let count = Int(arguments[3])!
  _ = try OfficialConversion.replace(at: arguments[2]) { done, _ in
    if done >= count { kill(getpid(), SIGKILL) }
  }
case "compact":
  var count = 0
  while true {
    if try Realm.compact(at: URL(fileURLWithPath: arguments[2])) { count += 1 }
    say(count)
  }
case "tickets":
  let registry = try Registry(path: arguments[2], durability: .relaxed)
  for _ in 0..<Int(arguments[4])! { say(try registry.append(writer: arguments[3])) }
case "turn":
  let ledger = try Ledger(path: arguments[2])
  var told = 0
  func tell(_ number: Int) {
    say(number)
    told += 1
  }
  func turn(until count: Int) {
    while told < count { _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01)) }
  }
  ledger.realm.beginWrite()
  let first = ledger.change()
  ledger.realm.commitAsyncWrite { error in
    precondition(error == nil)
    tell(first)
  }
  ledger.realm.writeAsync {
    tell(ledger.change())
  } onComplete: { error in
    precondition(error == nil)
    tell(ledger.number)
  }
  try ledger.realm.write {
    turn(until: 1)
    tell(ledger.change())
  }
  turn(until: 4)
case "seats":
  let registry = try Registry(path: arguments[2], durability: .relaxed)
  for seat in 0..<Int(arguments[3])! where try registry.take(seat) { say(seat) }
case "anew":
  let registry = try Registry(path: arguments[2], durability: .relaxed, startsAnew: true)
  for place in 0..<Int(arguments[3])! {
    let seat = try registry.realm.write {
      registry.realm.create(Seat.self, value: ["row": Int(getpid()), "place": place])
    }
    say(seat.number)
  }
case "sample":
  if let user = UInt32(arguments[3]) {
    precondition(setgroups(0, nil) == 0 && setgid(user) == 0 && setuid(user) == 0)
  }
  for _ in 0..<Int(arguments[4])! {
    autoreleasepool {
      do {
        let ledger = try Ledger(path: arguments[2], readOnly: true)
        let found = try Realm.verify(
          at: URL(fileURLWithPath: arguments[2]), encryptionKey: Ledger.encryptionKey(arguments[2]))
        say(ledger.fault == nil && found.isSound ? ledger.number : -1)
      } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        say(-2)
      }
    }
  }
case "freeze":
  let ledger = try Ledger(path: arguments[2])
  let frozen = ledger.realm.freeze()
  say(ledger.number)
  say(ledger.realm.diagnostics.readers.filter { $0.owner == "a process of another container" }.count)
  withExtendedLifetime(frozen) { while true { pause() } }
case "follow":
  let queue = DispatchQueue(label: "follow")
  nonisolated(unsafe) var kept: Any?
  try queue.sync {
    let ledger = try Ledger(path: arguments[2], queue: queue)
    say(ledger.number)
    kept = ledger.realm.observe { _, _ in say(ledger.number) }
    // What came before the observation.
    if ledger.realm.refresh() { say(ledger.number) }
  }
  withExtendedLifetime(kept) { while true { pause() } }
default:
  fatalError("unknown command \(arguments[1])")
}
