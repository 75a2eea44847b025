import Foundation
import RealmSwift
import TestSupport
import Testing

/// Realms in a child of fork(), which has its parent's memory and must open the file for itself.
@Suite struct ForkedRealmTests {
  /// What a child does with what it has inherited.
  enum Use: String, CaseIterable, Codable {
    case property, collection, query, list, frozenProperty, frozenList, frozenQuery, write, refresh, freeze
    case frozenRealm, open

    var isAllowed: Bool { self == .open }
  }

  @Test(arguments: Use.allCases) func childrenAreRefused(_ use: Use) async throws {
    let file = ScratchRealm()
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [path = file.path as String, use = use as Use] in
      let realm = try Realm(
        configuration: Realm.Configuration(
          fileURL: URL(fileURLWithPath: path), objectTypes: [ForkedThing.self]))
      let thing = ForkedThing(value: ["number": 7, "numbers": [1, 2]])
      try realm.write { realm.add(thing) }
      let things = realm.objects(ForkedThing.self)
      let frozen = thing.freeze()
      let frozenThings = things.freeze()
      // Everything has been read before.
      precondition(thing.number == 7 && things.count == 1 && thing.numbers[1] == 2)
      precondition(frozen.number == 7 && frozen.numbers[1] == 2 && frozenThings.count == 1)
      typealias Fork = @convention(c) () -> Int32
      let child = unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)()
      if child == 0 {
        alarm(20)
        // Without a report that takes long.
        for number in [SIGILL, SIGTRAP] { signal(number, SIG_DFL) }
        switch use {
        case .property: _ = thing.number
        case .collection: _ = things[0].number
        case .query: _ = things.where { $0.number == 7 }.count
        case .list: _ = thing.numbers[1]
        case .frozenProperty: _ = frozen.number
        case .frozenList: _ = frozen.numbers[1]
        case .frozenQuery: _ = frozenThings.count
        case .write: try realm.write { thing.number = 8 }
        case .refresh: realm.refresh()
        case .freeze: _ = thing.freeze()
        case .frozenRealm: _ = frozen.realm!.objects(ForkedThing.self).count
        case .open:
          let own = try Realm(configuration: realm.configuration)
          try own.write { own.objects(ForkedThing.self)[0].number += 1 }
        }
        _exit(9)
      }
      var status: Int32 = -1
      waitpid(child, &status, 0)
      precondition(status == 9 << 8 || !use.isAllowed, "\(status)")
      precondition(status & 0x7F == SIGILL || status & 0x7F == SIGTRAP || use.isAllowed, "\(status)")
      // The parent goes on.
      realm.refresh()
      precondition(thing.number == (use.isAllowed ? 8 : 7))
      try realm.write { thing.number += 1 }
    }
    let message = "was opened before fork(): a child process has to open it for itself."
    #expect(result?.message.contains(message) == !use.isAllowed)
  }
}

class ForkedThing: Object {
  @Persisted var number = 0
  @Persisted var numbers: List<Int>
}
