import Foundation
import RealmSwift
import TestSupport
import Testing

@testable import RealmTool

/// The commands and scripts of the articles about backups, keys and ways out do what the articles say.
struct ArticleCommandTests {
  private let folder = ScratchFolder()

  private static func text(_ article: String) throws -> String {
    let path = "Sources/RealmSwift/RealmSwift.docc/\(article).md"
    return try String(contentsOf: Repository.folder.appending(path: path), encoding: .utf8)
  }

  /// The blocks of code in a language under a heading.
  private static func blocks(_ language: String, under heading: String, of article: String) throws -> [String]
  {
    let text = try text(article)
    let start = try #require(text.range(of: "\n## \(heading)\n"), "\(heading)").upperBound
    let end = text[start...].range(of: "\n## ")?.lowerBound ?? text.endIndex
    return text[start..<end].components(separatedBy: "```\(language)\n").dropFirst().map {
      $0.components(separatedBy: "\n```")[0]
    }
  }

  /// The lines of the console blocks under a heading that begin with a prompt, without it.
  private static func commands(under heading: String, of article: String) throws -> [String] {
    try blocks("console", under: heading, of: article).flatMap { $0.components(separatedBy: "\n") }
      .filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) }
  }

  /// Runs commands in the scratch folder, in which the folders of the article are; stops at the first that fails.
  private func run(_ commands: [String]) throws -> RealmProgram.Outcome {
    let here = folder.url.path
    let script = commands.joined(separator: " && ").replacing("/var/", with: here + "/var/")
    return try RealmProgram.shell("cd '\(here)' && \(script)")
  }

  private func makeFolders() throws {
    for name in ["var/lib/app", "var/backups/app"] {
      try FileManager.default.createDirectory(
        at: folder.file(name), withIntermediateDirectories: true)
    }
  }

  private func makeKey(_ name: String) throws {
    try Data((0..<64).map { UInt8($0) ^ UInt8(name.utf8.count) }).write(to: folder.file(name))
  }

  @Test func aBackupIsMadeVerifiedAndRestored() throws {
    try makeFolders()
    let app = folder.path("var/lib/app/app.realm")
    try FileManager.default.moveItem(atPath: World.small(in: folder), toPath: app)
    let backup = try Self.commands(under: "Back up a running program", of: "Backup")
    #expect(backup.count == 2)
    // A program has the file open.
    let watcher = try RunningTool("watch", app)
    _ = watcher.firstNote()
    let made = try run(backup)
    #expect(made.status == 0 && made.output.contains("sound, 3 objects"), "\(made)")
    watcher.signal(SIGTERM)
    _ = watcher.end()

    #expect(try RealmProgram.run("delete", app, "Country", "--where", "TRUEPREDICATE", "--yes").status == 0)
    let restored = try run(try Self.commands(under: "Restore a backup", of: "Backup"))
    #expect(restored.status == 0, "\(restored)")
    #expect(try RealmProgram.run("query", app, "Country", "--count").output == "3\n")
    #expect(try RealmProgram.run("verify", app).status == 0)
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path("var/lib/app/before"))
    #expect(before == ["app.realm"])
  }

  @Test func anEncryptedFileIsBackedUp() throws {
    try makeKey("app.key")
    let plain = try World.small(in: folder)
    #expect(
      try RealmProgram.run("encrypt", plain, folder.path("app.realm"), "--key-file", folder.path("app.key"))
        .status == 0)
    let outcome = try run(try Self.commands(under: "Back up an encrypted file", of: "Backup"))
    #expect(outcome.status == 0 && outcome.output.contains("sound, 3 objects"), "\(outcome)")
    #expect(try RealmProgram.run("verify", folder.path("backup.realm")).status == 3)
  }

  @Test(arguments: [false, true]) func theScriptKeepsTheNewestBackups(isEncrypted: Bool) throws {
    try makeFolders()
    let script = try #require(
      try Self.blocks("sh", under: "Back up every night and keep 14 days", of: "Backup").first)
    let program = folder.path("realm-backup")
    try script.write(toFile: program, atomically: true, encoding: .utf8)
    try makeKey("key")
    let (app, key) = (folder.path("app.realm"), isEncrypted ? " '\(folder.path("key"))'" : "")
    let plain = try World.small(in: folder)
    if isEncrypted {
      #expect(
        try RealmProgram.run("encrypt", plain, app, "--key-file", folder.path("key")).status == 0)
    } else {
      try FileManager.default.moveItem(atPath: plain, toPath: app)
    }
    let backups = folder.path("var/backups/app")
    for (name, days) in [("app-2025-01-01T030000Z", 16), ("app-2025-01-03T030000Z", 13), ("notes", 30)] {
      let path = "\(backups)/\(name).realm"
      try Data().write(to: URL(fileURLWithPath: path))
      let date = Date(timeIntervalSinceNow: -Double(days) * 86_400)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }
    func backUp() throws -> RealmProgram.Outcome {
      try RealmProgram.shell("sh '\(program)' '\(app)' '\(backups)' 14\(key)")
    }
    let made = try backUp()
    #expect(made.status == 0 && made.output.contains("sound, 3 objects"), "\(made)")
    var names = Set(try FileManager.default.contentsOfDirectory(atPath: backups))
    #expect(names.count == 3 && names.isSuperset(of: ["app-2025-01-03T030000Z.realm", "notes.realm"]))

    // Nothing is deleted when there is no new backup.
    let old = URL(fileURLWithPath: "\(backups)/app-2025-01-01T030000Z.realm")
    try Data().write(to: old)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -16 * 86_400)], ofItemAtPath: old.path)
    names.insert(old.lastPathComponent)
    try Data("no realm".utf8).write(to: URL(fileURLWithPath: app))
    #expect(try backUp().status == 3)
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: backups)) == names)
  }

  @Test func aKeyIsRotated() throws {
    let plain = try World.small(in: folder)
    try makeKey("old.key")
    let app = folder.path("app.realm")
    #expect(
      try RealmProgram.run("encrypt", plain, app, "--key-file", folder.path("old.key")).status == 0)
    // Its lock file stays.
    #expect(
      try RealmProgram.run("query", app, "Country", "--count", "--key-file", folder.path("old.key")).output
        == "3\n")
    let outcome = try run(try Self.commands(under: "Rotate a key", of: "Encryption"))
    #expect(outcome.status == 0, "\(outcome)")
    let new = folder.path("new.key")
    #expect(
      try FileManager.default.attributesOfItem(atPath: new)[.posixPermissions] as? Int == 0o600)
    #expect(try RealmProgram.run("query", app, "Country", "--count", "--key-file", new).output == "3\n")
    #expect(try RealmProgram.run("info", app, "--key-file", folder.path("old.key")).status == 3)
  }

  @Test func aFileIsEncryptedAndDecrypted() throws {
    try FileManager.default.moveItem(atPath: World.small(in: folder), toPath: folder.path("app.realm"))
    try makeKey("app.key")
    let outcome = try run(
      try Self.commands(under: "Encrypt an existing file, or remove its key", of: "Encryption"))
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      try RealmProgram.run("diff", folder.path("app.realm"), folder.path("plain.realm"))
        == .init(status: 0))
    #expect(try RealmProgram.run("info", folder.path("secret.realm")).status == 3)
  }

  @Test func theDataIsExported() throws {
    try FileManager.default.moveItem(atPath: World.small(in: folder), toPath: folder.path("app.realm"))
    let outcome = try run(try Self.commands(under: "How to leave", of: "ChoosingOpenRealm"))
    #expect(outcome.status == 0, "\(outcome)")
    for name in ["app.sqlite", "app-json/Country.json", "app-json/schema.json", "app-csv/Country.csv"] {
      #expect(FileManager.default.fileExists(atPath: folder.path(name)), "\(name)")
    }
  }
}
