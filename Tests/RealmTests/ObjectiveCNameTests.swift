import Foundation
import Realm
import RealmSwift
import TestSupport
import Testing

final class NamedDog: RLMObject {
  @Persisted(primaryKey: true) var id: RLMObjectId
  @Persisted var price: RLMDecimal128
  @Persisted var friends: RLMArray<NamedDog>
  @Persisted var tags: RLMSet<String>
  @Persisted var scores: RLMDictionary<String, Int>
  @Persisted(originProperty: "friends") var friendOf: RLMLinkingObjects<NamedDog>
}

/// A file that imports both modules, as programs do that were written for the official SDK.
struct ObjectiveCNameTests {
  private let folder = ScratchFolder()

  private var configuration: RLMRealmConfiguration {
    Realm.Configuration(fileURL: folder.file("names.realm"), objectTypes: [NamedDog.self])
  }

  @Test func realmIsTheClassAndNotTheModule() throws {
    let realm: Realm = try Realm(configuration: configuration)
    let same: RLMRealm = realm
    let configuration: Realm.Configuration = same.configuration
    let policy: Realm.UpdatePolicy = .modified
    #expect(configuration.fileURL == folder.file("names.realm") && policy == RLMUpdatePolicy.modified)
    #expect(RealmSwift.Realm.self == RLMRealm.self)
  }

  @Test func errorsAreCaughtByTheirObjectiveCName() throws {
    var configuration = configuration
    configuration.readOnly = true
    configuration.fileURL = folder.file("missing.realm")
    #expect {
      _ = try Realm(configuration: configuration)
    } throws: { error in
      #expect((error as? RLMError)?.code == .fileNotFound)
      #expect((error as NSError).domain == RLMErrorDomain && RLMErrorDomain == "io.realm")
      #expect((error as NSError).code == RLMError.Code.fileNotFound.rawValue)
      if case RLMError.fileNotFound = error, case Realm.Error.fileNotFound = error { return true }
      return false
    }
    #expect(RLMError(.fail, userInfo: [:]) == Realm.Error(.fail, userInfo: [:]))
  }

  @MainActor @Test func theNamesStandForTheSwiftTypes() throws {
    let realm = try Realm(configuration: configuration)
    let dog = NamedDog(value: ["price": "1.5", "tags": ["a"], "scores": ["b": 2]])
    try realm.write {
      realm.add(dog)
      dog.friends.append(dog)
    }
    let dogs: RLMResults<NamedDog> = realm.objects(NamedDog.self)
      .sorted(by: [RLMSortDescriptor(keyPath: "price")])
    #expect(dogs.count == 1 && dog.friendOf.count == 1 && dog.price == 1.5)
    let token: RLMNotificationToken = realm.observe { (_: RLMNotification, _: RLMRealm) in }
    token.invalidate()
    let reference: RLMThreadSafeReference<NamedDog> = ThreadSafeReference(to: dog)
    #expect(realm.resolve(reference) == dog)
    let schema: RLMObjectSchema? = NamedDog.sharedSchema()
    #expect(schema?.properties.first { (property: RLMProperty) in property.type == .objectId }?.name == "id")
  }
}
