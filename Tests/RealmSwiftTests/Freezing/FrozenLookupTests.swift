import Foundation
import TestSupport
import Testing

@testable import RealmSwift
@testable import Storage

/// Several threads look objects of one frozen realm up by indexed values at once.
@Suite struct FrozenLookupTests {
  final class FrozenTicket: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted(indexed: true) var kind = 0
    @Persisted(indexed: true) var code = ""
    @Persisted var number = 0
  }

  private static let count = 6_000

  private struct Shared: @unchecked Sendable { let realm: Realm }

  private static func make(_ file: ScratchRealm) throws {
    try file.write { realm in
      for id in 0..<count {
        realm.create(FrozenTicket.self, value: [id, id % 700, "code \(id / 3)", -id] as [Any])
      }
    }
  }

  /// How many answers were wrong.
  private static func faults(_ realm: Realm) -> Int {
    let shared = Shared(realm: realm.freeze())
    let faults = FaultCount()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      let tickets = shared.realm.objects(FrozenTicket.self)
      for step in 0..<500 {
        let id = (step * 7_919 + thread * 1_499) % count
        let ticket = shared.realm.object(ofType: FrozenTicket.self, forPrimaryKey: id)
        let sameKind = tickets.where { $0.kind == id % 700 }
        let sameCode = tickets.filter("code == %@", "code \(id / 3)")
        let isRight =
          ticket?.number == -id && sameKind.count == (id % 700 < count % 700 ? count / 700 + 1 : count / 700)
          && sameKind.first?.id == id % 700 && Set(sameCode.map(\.id)) == Set(id / 3 * 3..<id / 3 * 3 + 3)
          && tickets.where { $0.code == "code \(-1 - id)" }.isEmpty
        if !isRight { faults.add() }
      }
    }
    return faults.count
  }

  private final class FaultCount: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0
    var count: Int { lock.withLock { number } }
    func add() { lock.withLock { number += 1 } }
  }

  @Test(arguments: [false, true]) func answersAreThoseOfOneThread(isEncrypted: Bool) throws {
    let file = ScratchRealm([FrozenTicket.self], encryptionKey: isEncrypted ? Photos.key : nil)
    try Self.make(file)
    #expect(Self.faults(try Realm(configuration: file.configuration)) == 0)
  }

  /// What one thread has decrypted is let go of while others read.
  @Test func answersAreRightWhereMemoryIsShort() async throws {
    let file = ScratchRealm([FrozenTicket.self], encryptionKey: Photos.key)
    try Self.make(file)
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      DatabaseFile.setDecryptedLimits(held: 20_000, idle: 0)
      let realm = try Realm(
        configuration: Realm.Configuration(
          fileURL: URL(fileURLWithPath: path), encryptionKey: Photos.key, objectTypes: [FrozenTicket.self]))
      Photos.check(Self.faults(realm) == 0, "wrong answers")
    }
  }
}
