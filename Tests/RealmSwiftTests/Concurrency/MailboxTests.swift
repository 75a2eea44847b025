import Dispatch
import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Work that waits where a realm belongs.
@Suite struct MailboxTests {
  /// What was done, and what the place was asked to run.
  private final class Place: Sendable {
    let done = Mutex<[Int]>([])
    let posted = Mutex<[@Sendable () -> Void]>([])

    func add(_ number: Int, to mailbox: Mailbox, for realm: UInt64? = nil) {
      let work: @Sendable () -> Void = { self.done.withLock { $0.append(number) } }
      mailbox.add(work, for: realm, post: post)
    }

    func post(_ work: @escaping @Sendable () -> Void) -> Bool {
      posted.withLock { $0.append(work) }
      return true
    }

    func run() { posted.withLock { $0.isEmpty ? nil : $0.removeFirst() }?() }
  }

  @Test func thePlaceIsAskedOnce() {
    let (place, mailbox) = (Place(), Mailbox())
    for number in 0..<5 { place.add(number, to: mailbox) }
    #expect(place.posted.withLock(\.count) == 1)
    place.run()
    #expect(place.done.withLock(\.self) == [0, 1, 2, 3, 4])
    place.add(5, to: mailbox)
    #expect(place.posted.withLock(\.count) == 1)
    place.run()
    #expect(place.done.withLock(\.self) == [0, 1, 2, 3, 4, 5])
  }

  @Test func whatIsAddedMeanwhileComesLater() {
    let (place, mailbox) = (Place(), Mailbox())
    mailbox.add({ place.add(2, to: mailbox) }, for: nil, post: place.post)
    place.add(1, to: mailbox)
    place.run()
    #expect(place.done.withLock(\.self) == [1])
    place.run()
    #expect(place.done.withLock(\.self) == [1, 2])
  }

  /// As a run loop within a block does.
  @Test func workThatLetsOthersRunKeepsTheOrder() {
    let (place, mailbox) = (Place(), Mailbox())
    let first: @Sendable () -> Void = {
      place.add(3, to: mailbox)
      place.run()
    }
    mailbox.add(first, for: nil, post: place.post)
    place.add(1, to: mailbox)
    place.add(2, to: mailbox)
    place.run()
    place.run()
    #expect(place.done.withLock(\.self) == [1, 2, 3])
    #expect(mailbox.count == 0)
  }

  @Test func whatIsForARealmThatIsGoneIsDropped() {
    let (place, mailbox) = (Place(), Mailbox())
    for number in 0..<6 { place.add(number, to: mailbox, for: UInt64(number % 2)) }
    place.add(6, to: mailbox)
    mailbox.forget(realm: 1)
    #expect(mailbox.count == 4)
    place.run()
    #expect(place.done.withLock(\.self) == [0, 2, 4, 6])
  }

  @Test func aPlaceThatIsGoneKeepsNothing() {
    let mailbox = Mailbox()
    for _ in 0..<3 { mailbox.add({ Issue.record("done") }, for: nil, post: { _ in false }) }
    #expect(mailbox.count == 0)
  }

  /// The place turns up while others add work.
  @Test func whatIsAddedWhileAPlaceIsNotThereIsKept() {
    let (place, mailbox) = (Place(), Mailbox())
    let attempts = Mutex(0)
    let post: (@escaping @Sendable () -> Void) -> Bool = { work in
      let attempt = attempts.withLock { number in
        number += 1
        return number
      }
      if attempt > 1 { return place.post(work) }
      place.add(1, to: mailbox)
      return false
    }
    mailbox.add({ Issue.record("done") }, for: nil, post: post)
    #expect(mailbox.count == 1)
    place.run()
    #expect(place.done.withLock(\.self) == [1])
    place.add(2, to: mailbox)
    place.run()
    #expect(place.done.withLock(\.self) == [1, 2])
  }

  /// Realms are opened, written to and closed where nothing else has a turn.
  @Test func realmsThatComeAndGoLeaveNothingBehind() throws {
    let file = ScratchRealm([MailboxItem.self])
    let queue = DispatchQueue(label: "mailbox")
    try queue.sync {
      for round in 0..<20 {
        let realm = try Realm(configuration: file.configuration, queue: queue)
        let token = realm.objects(MailboxItem.self).observe { _ in }
        try realm.write { _ = realm.create(MailboxItem.self, value: ["number": round]) }
        token.invalidate()
      }
      #expect(QueuePlace.of(queue).mailbox.count == 0)
    }
  }
}

final class MailboxItem: Object {
  @Persisted var number = 0
}
