import Foundation
import ProcessTestModels
import RealmSwift
import TestSupport

/// One to three processes that take what only one may have, one thing after the other, and are killed.
struct SeatRound {
  let path: String

  /// In the child: says the number of each seat that it got.
  func write() throws {
    let registry = try Registry(path: path)
    for seat in registry.realm.objects(Seat.self).count... where try registry.take(seat) {
      ChildProcess.say(UInt64(seat))
    }
  }

  func run(_ random: inout SeededGenerator) throws -> String {
    let before = try FileManager.default.fileExists(atPath: path) ? seatCount() : 0
    let writers = try (0..<Int.random(in: 1...3, using: &random)).map { _ in
      try ChildProcess(Kills.self, ["seats", path])
    }
    var seats: [Int] = []
    for _ in 0..<Int.random(in: 0...12, using: &random) { seats.append(try writers[0].nextNumber()) }
    usleep(.random(in: 0...3_000, using: &random))
    for writer in writers { seats += try writer.killedNumbers() }
    if Set(seats).count != seats.count || seats.contains(where: { $0 < before }) {
      throw KillFault("seats: one was given twice: \(seats.sorted()), after \(before)")
    }
    let count = try seatCount()
    guard count > seats.max() ?? before - 1, count <= before + seats.count + writers.count else {
      throw KillFault("seats: \(count) after \(seats.sorted()) and \(before)")
    }
    let registry = try Registry(path: path)
    if let fault = registry.faultOfSeats { throw KillFault("seats: \(fault)") }
    for seat in max(0, count - 4)..<count + 1 where try registry.take(seat) != (seat == count) {
      throw KillFault("seats: \(seat) of \(count)")
    }
    try WritingRound.verify(path, "seats")
    return "seats"
  }

  private func seatCount() throws -> Int { try Registry(path: path).realm.objects(Seat.self).count }
}
