import Foundation
import ProcessTestModels
import RealmSwift
import TestSupport

/// One to three processes that make numbered objects and delete others with all that they own, and are killed.
struct TicketRound {
  let path: String

  /// In the child: says the number of each ticket that was acknowledged.
  func write() throws {
    let registry = try Registry(path: path)
    while true { ChildProcess.say(UInt64(try registry.append())) }
  }

  func run(_ random: inout SeededGenerator) throws -> String {
    let before = try FileManager.default.fileExists(atPath: path) ? newestNumber() : 0
    let writers = try (0..<Int.random(in: 1...3, using: &random)).map { _ in
      try ChildProcess(Kills.self, ["tickets", path])
    }
    var numbers: [Int] = []
    for _ in 0..<Int.random(in: 0...12, using: &random) { numbers.append(try writers[0].nextNumber()) }
    usleep(.random(in: 0...3_000, using: &random))
    for writer in writers { numbers += try writer.killedNumbers() }
    if Set(numbers).count != numbers.count || numbers.contains(where: { $0 <= before }) {
      throw KillFault("tickets: a number was given twice: \(numbers.sorted()), after \(before)")
    }
    let newest = try newestNumber()
    guard newest >= numbers.max() ?? before, newest <= before + numbers.count + writers.count else {
      throw KillFault("tickets: \(newest) after \(numbers.sorted()) and \(before)")
    }
    let registry = try Registry(path: path)
    if let fault = registry.fault { throw KillFault("tickets: \(fault)") }
    if try registry.append() != newest + 1 { throw KillFault("tickets: not the next number") }
    try WritingRound.verify(path, "tickets")
    return "tickets"
  }

  private func newestNumber() throws -> Int {
    try Registry(path: path).realm.objects(Ticket.self).max(of: \.number) ?? 0
  }
}
