import Foundation
import RealmSwift
import TestSupport
import Testing

struct DebuggingTests {
  @Test func printed() throws {
    let mountains = try Mountains()
    let (realm, hut) = (mountains.realm, mountains.larch)
    print(hut)
    print(realm.configuration)
    #expect("\(hut)".contains("name = Larch"))
    for reader in realm.diagnostics.readers {
      print(reader.version, reader.owner, reader.file ?? "", reader.line ?? 0)
    }
    print(realm.objects(Hut.self).where { $0.beds > 10 }.explain())
    let text = try String(contentsOf: Self.article, encoding: .utf8)
    let explanation = realm.objects(Hut.self).where { $0.beds > 10 }.explain()
    #expect(text.contains(explanation), "The article shows what is printed: \(explanation)")
  }

  private static let article = Repository.folder
    .appending(path: "Sources/RealmSwift/RealmSwift.docc/Debugging.md")

  /// In a process of its own, since there is one logger.
  @Test func log() async {
    await #expect(processExitsWith: .success) {
      Logger.shared = Logger(level: .warn) { level, message in
        print(level, message)
      }
      #expect(Logger.shared.level == .warn)
    }
  }
}
