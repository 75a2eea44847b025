import Foundation
import RealmSwift
import TestSupport
import Testing

class Letter: Object {
  @Persisted(fullText: true) var text: String
}

/// The samples of README.md that are not in Examples/Clients.
struct ReadmeTests {
  @MainActor @Test func following() async throws {
    let mountains = try Mountains()
    let huts = mountains.huts
    func follow() -> (NotificationToken, Task<Void, Never>) {
      let token = huts.observe { change in  // where the realm belongs: main thread, queue or actor
        switch change {
        case .initial(let huts): print("\(huts.count) huts")
        case .update(_, let deletions, let insertions, let modifications):
          print(deletions, insertions, modifications)  // positions
        case .error(let error): print(error)
        }
      }

      let follower = Task {
        for await change in huts.changes {  // with frozen values
          if case .update(let huts, _, _, _) = change { print(huts.count) }
        }
      }
      return (token, follower)
    }
    let (token, follower) = follow()
    try mountains.realm.write { mountains.larch.beds += 1 }
    mountains.realm.refresh()
    follower.cancel()
    await follower.value
    #expect(token.invalidate())
  }

  private let folder = ScratchFolder()

  @Test func files() throws {
    let (url, copy, rescued) = (folder.file("a.realm"), folder.file("b.realm"), folder.file("c.realm"))
    let key = Data(repeating: 3, count: 64)
    do {
      var configuration = Realm.Configuration(fileURL: url, encryptionKey: key)  // 64 bytes; AES-256-GCM
      configuration.schemaVersion = 2
      configuration.migrationBlock = { migration, oldVersion in
        if oldVersion < 2 { migration.renameProperty(onType: "Letter", from: "body", to: "text") }
      }
      print(try Realm.migrationPlan(for: configuration))  // what opening would do without the block
      let realm = try Realm(configuration: configuration)
      try realm.writeCopy(toFile: copy)  // without unused space, and here without a key
      #expect(try schemaVersionAtURL(copy) == 2)
    }
    let found = try Realm.verify(at: url, encryptionKey: key)
    if !found.isSound { try Realm.salvage(from: url, to: rescued, encryptionKey: key) }
    #expect(found.isSound)
  }

  @Test func text() throws {
    let realm = try Realm(
      configuration: .init(fileURL: folder.file("notes.realm"), objectTypes: [Letter.self]))
    try realm.write {
      realm.add(Letter(value: ["text": "A wolf in the forest"]))
      realm.add(Letter(value: ["text": "A bear in the black forest"]))
    }
    let letters = realm.objects(Letter.self)
    let found = letters.where { $0.text.fullTextSearch("wolf* forest -bear") }
    let forests = letters.filter("text TEXT %@", "\"black forest\"")
    #expect(found.count == 1 && forests.count == 1)
  }

  @Test func groups() throws {
    let huts = try Mountains().huts
    for group in huts.grouped(by: \.kind).aggregated(.sum(\.beds), .average(\.altitude)) {
      print(group.key, group.count, group.values.0, group.values.1 ?? 0)
    }
    let perMonth = huts.grouped(by: .month(of: \.opened)).counts  // also .day(of:), .year(of:)
    #expect(perMonth == [nil: 3])
  }
}
