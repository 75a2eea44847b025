import Foundation
import RealmSwift
import TestSupport
import Testing

struct FailureBehaviourTests {
  @Test func sound() throws {
    let mountains = try Mountains()
    let (url, rescued) = (mountains.configuration.fileURL!, mountains.folder.file("rescued.realm"))
    let found = try Realm.verify(at: url)
    if !found.isSound {
      for fault in found.faults { print(fault) }
    }
    #expect(found.isSound && found.objectCount == 6)
    let losses = try Realm.salvage(from: url, to: rescued)
    #expect(losses.isSound)
    var configuration = mountains.configuration
    configuration.fileURL = rescued
    #expect(try Realm(configuration: configuration).objects(Hut.self).count == 3)
  }
}
