import Foundation
import RealmSwift
import Testing

struct HutBook {
  let realm: Realm

  func beds() -> Int { realm.objects(Hut.self).sum(of: \.beds) }
}

struct TestingTests {
  @Test func countsBeds() throws {
    let configuration = Realm.Configuration(inMemoryIdentifier: UUID().uuidString)
    let realm = try Realm(configuration: configuration)
    try realm.write {
      realm.add(Hut(value: ["beds": 12]))
    }
    #expect(HutBook(realm: realm).beds() == 12)
  }
}
