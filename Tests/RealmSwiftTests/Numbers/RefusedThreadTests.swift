import Foundation
import Storage
import TestSupport
import Testing

import struct Synchronization.Atomic

@testable import RealmSwift

/// Threads that a realm does not belong to are refused while its own thread changes what an access reads. The thread
/// sanitizer reports what both of them touch.
@Suite struct RefusedThreadTests {
  private let file = ScratchRealm(Numbered.types)

  /// What the refused threads have been told.
  private final class Refusals: Sendable {
    let attempts = Atomic(0)
    let isOver = Atomic(false)
    private let codes = Mutex<Set<Refusal.Code>>([])
    private let successes = Atomic(0)

    var all: Set<Refusal.Code> { codes.withLock { $0 } }
    var successCount: Int { successes.load(ordering: .relaxed) }

    func record<Value>(_ body: () throws(Refusal) -> Value) {
      do throws(Refusal) {
        _ = try body()
        successes.add(1, ordering: .relaxed)
      } catch {
        codes.withLock { _ = $0.insert(error.code) }
      }
      attempts.add(1, ordering: .relaxed)
    }
  }

  /// Calls a closure on this thread, again and again, until two other threads have tried some accesses meanwhile.
  private func whileOthersTry(
    _ change: (_ realm: Realm, _ numbered: NumberedRealm, _ round: Int) throws -> Void
  ) throws -> Refusals {
    let typed = try file.open()
    let numbered = NumberedRealm(typed)
    let things = NumberedClassNames(numbered, Numbered.Thing.self)
    typed.beginWrite()
    let thing = try things.create(["id": .int(1), "number": .int(5), "text": .text("five")])
    try typed.commitWrite()
    let columns = (number: things.column("number"), text: things.column("text"))
    let all = try numbered.objects(things.number)
    let refusals = Refusals()
    nonisolated(unsafe) let shared = (numbered, all)
    let ended = DispatchGroup()
    for _ in 0..<2 {
      ended.enter()
      Thread {
        let (numbered, all) = shared
        while !refusals.isOver.load(ordering: .relaxed) {
          refusals.record { () throws(Refusal) in try numbered.integer(thing, columns.number) }
          refusals.record { () throws(Refusal) in try numbered.string(thing, columns.text) }
          refusals.record { () throws(Refusal) in try numbered.setInteger(thing, columns.number, 6) }
          refusals.record { () throws(Refusal) in try numbered.delete(thing) }
          refusals.record { () throws(Refusal) in try all.count() }
          refusals.record { () throws(Refusal) in
            if !numbered.isValid(thing) { throw Refusal(.wrongThread, "") }
          }
        }
        ended.leave()
      }.start()
    }
    defer {
      refusals.isOver.store(true, ordering: .relaxed)
      ended.wait()
    }
    let limit = TestLength.count(2_000, long: 50_000)
    var round = 0
    while refusals.attempts.load(ordering: .relaxed) < limit || round < 20 {
      try change(typed, numbered, round)
      round += 1
    }
    return refusals
  }

  private func expectRefused(_ refusals: Refusals) {
    #expect(refusals.all == [.wrongThread])
    #expect(refusals.successCount == 0)
  }

  @Test func threadsAreRefusedWhileRowsAreInserted() throws {
    expectRefused(
      try whileOthersTry { typed, numbered, _ in
        typed.beginWrite()
        let things = NumberedClassNames(numbered, Numbered.Thing.self)
        for id in 2..<60 { try things.create(["id": .int(Int64(id)), "text": .text("another")]) }
        typed.cancelWrite()
      })
  }

  @Test func threadsAreRefusedWhileTheRealmShowsAnotherSnapshot() throws {
    expectRefused(
      try whileOthersTry { typed, numbered, _ in
        typed.invalidate()
        try numbered.check()
      })
  }

  @Test func threadsAreRefusedWhileHandlesAreClosed() throws {
    expectRefused(
      try whileOthersTry { typed, numbered, round in
        if round == 10 { numbered.markClosed() }
        #expect(numbered.isClosed == (round >= 10))
      })
  }
}
