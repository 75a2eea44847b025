import Foundation
import TestSupport
import Testing

/// Advice on keys and permissions names the option, the user and what to do.
struct KeyAdviceTests {
  private let folder = ScratchFolder()

  private func files() throws -> (plain: String, secret: String, key: String) {
    let plain = try World.small(in: folder)
    let (secret, key) = (folder.path("secret.realm"), folder.path("key"))
    try Data(repeating: 7, count: 64).write(to: folder.file("key"))
    let outcome = try RealmProgram.run("encrypt", plain, secret, "--key-file", key)
    if outcome.status != 0 { fatalError(outcome.error) }
    return (plain, secret, key)
  }

  @Test func diffNamesTheOptionForTheSecondFile() throws {
    let (plain, secret, key) = try files()
    func error(_ words: String...) throws -> String {
      let outcome = try RealmProgram.run(["diff"] + words)
      #expect(outcome.status == 3)
      return outcome.error
    }
    #expect(
      try error(plain, secret).hasSuffix("with the key of the second file: --other-key-file KEYFILE.\n"))
    #expect(
      try error(plain, secret, "--key-file", key).hasSuffix(
        "\nLeave --key-file out. If the second file is encrypted, name its key with --other-key-file KEYFILE.\n"
      ))
    #expect(try error(secret, plain).hasSuffix("add --other-key-file none.\n"))
    #expect(try error(secret, plain, "--key-file", key).hasSuffix("\nAdd --other-key-file none.\n"))
    for words in [
      [plain, secret, "--other-key-file", key],
      [secret, plain, "--key-file", key, "--other-key-file", "none"],
    ] {
      #expect(try RealmProgram.run(["diff"] + words) == .init(status: 0))
    }
  }

  @Test func aMissingFolderIsNamed() throws {
    let (plain, _, _) = try files()
    let folder = folder.path("missing")
    for words in [
      ["copy", plain, "\(folder)/a.realm"], ["salvage", plain, "\(folder)/b.realm"],
      ["export", plain, "--to", "\(folder)/c"],
      ["export", plain, "--to", "\(folder)/d", "--format", "sqlite"],
      ["import", "\(folder)/e.realm", World.countries],
    ] {
      let outcome = try RealmProgram.run(words)
      #expect(outcome.status == 3)
      #expect(
        outcome.error.contains(
          "The folder '\(folder)' does not exist: create it first, or use another path."),
        "\(words): \(outcome)")
    }
  }

  private static func runAsNobody(_ words: String) throws -> RealmProgram.Outcome {
    try RealmProgram.shell("exec setpriv --reuid=nobody --clear-groups realm \(words)")
  }

  /// Root has every permission, so the tool runs as another user, who needs permission to run it.
  @Test(.enabled(if: geteuid() == 0 && (try? runAsNobody("--version"))?.status == 0))
  func aMissingPermissionNamesUserAndRemedy() throws {
    let (plain, _, _) = try files()
    try #require(chmod(plain, 0o600) == 0 && chmod(folder.url.path, 0o755) == 0)
    for command in ["query '\(plain)' Country", "info '\(plain)'", "verify '\(plain)'"] {
      let outcome = try Self.runAsNobody(command)
      #expect(outcome.status == 3)
      #expect(
        outcome.error.hasSuffix(
          "Permission denied. User 'nobody' has no permission to read '\(plain)' or the files beside it, which belong to user 'root': run realm as user 'root', or change the permissions with chmod, chgrp or setfacl.\n"
        ), "\(outcome)")
    }
    try #require(chmod(folder.url.path, 0o700) == 0)
    let outcome = try Self.runAsNobody("info '\(plain)'")
    #expect(outcome.status == 3)
    #expect(
      outcome.error.contains("User 'nobody' has no permission to enter the folder of '\(plain)'"),
      "\(outcome)")
  }
}
