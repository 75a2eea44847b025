import Foundation
import ProcessTestModels
import RealmSwift

// A process that the tests start, and often kill. It tells its progress in numbers, one a line.
//
//   RealmTestWorker loop <path>            makes transactions until it is killed
//   RealmTestWorker write <path> <writer> <count>   makes some, and ends
//   RealmTestWorker hold <path>            begins a transaction, says so, and never ends it

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
default:
  fatalError("unknown command \(arguments[1])")
}
