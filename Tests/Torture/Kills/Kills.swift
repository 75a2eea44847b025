import Foundation
import ProcessTestModels
import RealmSwift
import TestSupport

/// Processes that write and are killed at any moment, one or several at once, while others have the file open or not.
///
/// Afterwards the file opens, holds a whole number of transactions and none less than was acknowledged, and the next
/// write finds no lock.
enum Kills: AttackSuite {
  static let name = "kills"
  static let shortRounds = 15
  static let longRounds = 1000

  static func run(rounds: Int, seed: UInt64, _ outcomes: Outcomes) throws {
    var random = SeededGenerator(seed: seed)
    var folder = ScratchFolder()
    var files = 0
    var path = folder.path(Self.name(0))
    for round in 0..<rounds {
      // Mostly a file that has been through something; every now and then one that is still to be made.
      if Int.random(in: 0..<4, using: &random) == 0 {
        files += 1
        if files % 20 == 0 { folder = ScratchFolder() }
        path = folder.path(Self.name(files))
      }
      let watchdog = DispatchWorkItem {
        outcomes.fault("round \(round), seed \(seed): nothing goes on after 60 s")
        exit(1)
      }
      DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: watchdog)
      defer { watchdog.cancel() }
      do {
        if Int.random(in: 0..<6, using: &random) == 0 {
          files += 1
          let count = files % 2 == 0 ? 0 : rounds < 100 ? 2_000 : 20_000
          let schema = SchemaRound(path: folder.path(Self.name(files)) + ".schema", firstCount: count)
          outcomes.note(try schema.run(&random))
        } else if Int.random(in: 0..<6, using: &random) == 0 {
          outcomes.note(try TicketRound(path: path + ".tickets").run(&random))
        } else if Int.random(in: 0..<6, using: &random) == 0 {
          outcomes.note(try SeatRound(path: path + ".seats").run(&random))
        } else {
          outcomes.note(try WritingRound(path: path).run(&random))
        }
      } catch {
        outcomes.fault("round \(round), seed \(seed): \(error)")
        // What is broken would break all rounds that follow.
        files += 1
        path = folder.path(Self.name(files))
      }
    }
    withExtendedLifetime(folder) {}
  }

  /// Every third file is encrypted, as its name says.
  private static func name(_ number: Int) -> String { "\(number)\(number % 3 == 2 ? "encrypted" : "").realm" }

  static func child(_ arguments: [String]) throws {
    switch arguments[0] {
    case "tickets": try TicketRound(path: arguments[1]).write()
    case "seats": try SeatRound(path: arguments[1]).write()
    case "schema": try SchemaRound(path: arguments[1], firstCount: Int(arguments[2])!).write()
    default: try WritingRound.Mode(rawValue: arguments[0])?.write(arguments[1])
    }
  }
}

/// What a round of kills has found.
struct KillFault: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension ChildProcess {
  /// Kills it, and returns the numbers that it has said and that were not read yet.
  func killedNumbers() throws -> [Int] {
    Foundation.kill(identifier, SIGKILL)
    let (end, lines) = finish(within: 30)
    if end != .signal(SIGKILL) { throw KillFault("a writer ended by itself, with \(end): \(errorText)") }
    return lines.compactMap { Int($0) }
  }

  /// The next number that it says.
  func nextNumber() throws -> Int {
    if let number = nextLine().flatMap({ Int($0) }) { return number }
    throw KillFault("a writer ended by itself, with \(finish().end): \(errorText)")
  }
}
