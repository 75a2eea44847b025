import Foundation

// Attacks on the database, with seeds. See Suite.swift for the list of them.
//
//   Torture                              every suite, as long as it takes (`make test-torture`)
//   Torture --short                      every suite, a few rounds of each (`make test`)
//   Torture mutants kills --rounds 100 --seed 7
//   Torture child <suite> <arguments>    what a suite starts as a process of its own

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "child", arguments.count > 1 {
  guard let suite = Suite.named(arguments[1]) else { fatalError("There is no suite '\(arguments[1])'.") }
  try suite.child(Array(arguments.dropFirst(2)))
  exit(0)
}
do {
  exit(try Campaign(arguments).run() ? 0 : 1)
} catch let error as UsageError {
  FileHandle.standardError.write(Data((error.message + "\n").utf8))
  exit(2)
}
