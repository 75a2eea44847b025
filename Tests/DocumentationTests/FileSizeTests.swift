import Foundation
import RealmSwift
import TestSupport
import Testing

struct FileSizeTests {
  @Test func compaction() throws {
    let folder = ScratchFolder()
    let url = folder.file("huts.realm")
    var configuration = Realm.Configuration(fileURL: url, objectTypes: [Peak.self])
    configuration.shouldCompactOnLaunch = { total, used in
      total > 100 << 20 && used < total / 2
    }
    func open() throws {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Peak()) }
      print(realm.diagnostics)
      #expect(realm.diagnostics.readers.count == 1)
    }
    try open()
    let wasCompacted = try Realm.compact(at: url)
    #expect(wasCompacted)
  }
}
