import Foundation
import TestSupport
import Testing

@testable import RealmSwift

@MainActor @Suite struct QuickWriteLoadTests {
  /// If only one old version were kept, the file could use no page again and would grow with every write.
  @Test func thousandsOfQuickWritesKeepNothing() async throws {
    let file = ScratchRealm(screenClasses)
    var configuration = file.configuration
    configuration.durability = .relaxed
    let path = configuration.fileURL!.path
    let (early, count) = (500, TestLength.count(2_750, long: 5_000))
    var size = 0
    do {
      @MainActor struct Card {
        @ObservedRealmObject var dog: ScreenDog
        @ObservedResults<ScreenDog> var dogs: Results<ScreenDog>
        var body: String { "\(dog.age) \(dog.tricks.count) \(dogs.count)" }
      }
      let realm = try await Realm(configuration: configuration)
      let dog = ScreenDog("Wolfie")
      try realm.write { realm.add(dog) }
      let card = Card(
        dog: dog, dogs: ObservedResults(ScreenDog.self, configuration: configuration))
      var bodies = 0
      let updates = ViewUpdates(of: card) {
        bodies += 1
        _ = card.body
      }
      _ = card.body
      let (age, tricks) = (card.$dog.age, card.$dog.tricks)
      for index in 1...count {
        age.wrappedValue = index
        if index.isMultiple(of: 2) { tricks.remove(at: 0) } else { tricks.append("sit") }
        if index.isMultiple(of: 10) {
          _ = card.body
          await settle()
        }
        if index == early { size = try fileSize(path) }
      }
      #expect(bodies >= count / 10)
      #expect(card.body == "\(count) \(count % 2) 1")
      withExtendedLifetime(updates) {}
    }
    await settle()
    // So many writes that a quarter of a page of each would be too much.
    let allowed = size / 2
    #expect(allowed < (count - early) * 4096 / 4)
    #expect(try fileSize(path) <= size + allowed)
    #expect(!RealmFiles.isOpen(configuration))
  }

  private func fileSize(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as! Int
  }
}
