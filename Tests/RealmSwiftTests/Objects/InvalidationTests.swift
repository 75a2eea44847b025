import Foundation
import RealmSwift
import Testing

struct InvalidationTests {
  @Test func objectsOfAnyKindKnowWhetherTheyAreGone() throws {
    let scratch = try ScratchRealm(opening: PetOwner.classes)
    let owner = PetOwner(value: ["id": "o", "home": ["street": "Elm"]] as [String: Any])
    try scratch.realm.write { scratch.realm.add(owner) }
    let home = try #require(owner.home)
    let objects: [ObjectBase] = [owner, home, HousePet()]
    #expect(objects.map(\.isInvalidated) == [false, false, false])
    try scratch.realm.write { scratch.realm.delete(owner) }
    #expect(objects.map(\.isInvalidated) == [true, true, false])
    #expect(owner.isInvalidated && home.isInvalidated)
  }
}
