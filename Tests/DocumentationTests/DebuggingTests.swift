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

  /// The messages in the article's table are those of the library.
  @Test func messages() throws {
    let text = try String(contentsOf: Self.article, encoding: .utf8)
    let table = try #require(text.range(of: "| Message |"))
    let rows = text[table.upperBound...].split(separator: "\n").dropFirst(2).prefix { $0.hasPrefix("|") }
    let messages = rows.map { $0.split(separator: "|")[0].trimmingCharacters(in: .whitespaces) }
    #expect(messages.count > 5)
    let sources = ["Realm/ProgrammerError.swift", "Concurrency/Confinement.swift"].compactMap {
      try? String(contentsOf: Self.library.appending(path: $0), encoding: .utf8)
    }
    for message in messages {
      #expect(sources.contains { $0.contains("\"\(message)") }, "\(message)")
    }
  }

  private static let library = Repository.folder.appending(path: "Sources/RealmSwift")
  private static let article = library.appending(path: "RealmSwift.docc/Debugging.md")

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
