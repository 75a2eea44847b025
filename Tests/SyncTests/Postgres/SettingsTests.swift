import Foundation
import LibC
import Sync
import TestSupport
import Testing

@Suite struct SettingsTests {
  @Test(arguments: [
    "", "host=/tmp dbname=d", "host=@abstract", "postgresql:///demo?host=/tmp/realm-demo", "host=localhost",
    "postgresql://ada@127.0.0.1:5433/d", "hostaddr=127.1.2.3 host=db.example", "postgresql://[::1]/d",
    "host=/tmp,localhost sslmode=disable",
  ]) func thisMachineNeedsNoEncryption(string: String) throws {
    #expect(try PostgresSettings(string).keywords["sslmode"] != "verify-full")
  }

  @Test(arguments: [
    "host=db.example", "postgresql://ada@db.example/fleet", "host=localhost,db.example",
    "host=localhost hostaddr=192.0.2.1", "hostaddr=12.7.0.1", "host=localhost.example",
    "host=127.0.0.1.example",
    "host=128.0.0.1", "service=fleet", "host=db.example sslmode=verify-full",
  ]) func otherMachinesAreVerified(string: String) throws {
    #expect(try PostgresSettings(string).keywords["sslmode"] == "verify-full")
  }

  @Test(arguments: ["disable", "allow", "prefer", "require", "verify-ca"])
  func weakerModesHaveToBeAllowed(mode: String) throws {
    let string = "postgresql://ada@db.example/fleet?sslmode=\(mode)"
    let error = try #require(throws: PostgresError.self) { try PostgresSettings(string) }
    #expect(error.description.contains("sslmode=\(mode)") && error.description.contains("db.example"))
    #expect(try PostgresSettings(string, allowsInsecureConnection: true).keywords["sslmode"] == mode)
  }

  @Test(arguments: [
    "postgresql://ada:s3cret@db.example/fleet", "postgresql://ada@db.example/fleet?password=s3cret",
    "host=db.example password=s3cret", "host=db.example password = 's3cret'",
    "host=db.example sslpassword=s3cret",
  ]) func passwordsInTheStringAreRefused(string: String) throws {
    let error = try #require(throws: PostgresError.self) { try PostgresSettings(string) }
    #expect(error.description.contains("password file") && !error.description.contains("s3cret"))
    let settings = try PostgresSettings(string, allowsPasswordInString: true)
    #expect(settings.hadPasswordInString)
    var dumped = ""
    dump(settings, to: &dumped)
    for text in ["\(settings)", String(reflecting: settings), dumped, "\(settings.keywords)"] {
      #expect(!text.contains("s3cret"))
    }
  }

  @Test(arguments: [
    "host=db.example password=s3 cret", "postgresql://ada:s3%cret@db.example",
    "postgresql://ada:s3%00cret@db.example",
    "host='db.example password=cret", "password=a\"cret\" cret", "sslcret=1", "postgresql://ada@h/d?cret=1",
    "host=db.example\0password=cret",
  ]) func invalidStringsAreNotQuoted(string: String) throws {
    let error = try #require(throws: PostgresError.self) { try PostgresSettings(string) }
    #expect(!error.description.contains("cret"), "\(error)")
  }

  @Test func descriptionsNameRoleHostAndDatabase() throws {
    #expect(
      "\(try PostgresSettings("postgresql://ada@db.example:5433/fleet"))" == "ada@db.example:5433/fleet")
  }

  @Test func encryptionByGSSAPIIsNotTriedUnlessAskedFor() throws {
    #expect(try PostgresSettings("host=db.example").keywords["gssencmode"] == "disable")
    #expect(try PostgresSettings("host=db.example gssencmode=require").keywords["gssencmode"] == "require")
  }
}

@Suite struct PasswordTests {
  /// What a provider was asked.
  private final class Provider: Sendable {
    let questions = Mutex<[Bool]>([])
    let answers: [String]
    init(_ answers: [String]) { self.answers = answers }

    func answer(_ wasRefused: Bool) -> String {
      questions.withLock { questions in
        questions.append(wasRefused)
        return answers[min(questions.count, answers.count) - 1]
      }
    }
  }

  private func string(_ role: String) throws -> String {
    let server = try PostgresServer.shared()
    try server.makeRole(role, password: "r1ght")
    return server.connectionString(role: role)
  }

  @Test func aProviderIsAskedAgainAfterARefusal() throws {
    let provider = Provider(["wr0ng", "r1ght"])
    let settings = try PostgresSettings(string("asked"), password: .provider { provider.answer($0) })
    #expect(try PostgresConnection(settings).isOpen)
    #expect(provider.questions.withLock { $0 } == [false, true])
  }

  @Test func aWrongPasswordIsAnAuthenticationFailure() throws {
    let provider = Provider(["wr0ng"])
    let settings = try PostgresSettings(string("refused"), password: .provider { provider.answer($0) })
    let error = try #require(throws: PostgresError.self) { try PostgresConnection(settings) }
    #expect(error.sqlState == "28P01" && error.isAuthenticationFailure && error.kind == .other)
    #expect(error.message.contains("refused") && !error.description.contains("wr0ng"))
    #expect(!error.message.contains("LOCATION") && !error.message.contains("28P01"))
    #expect(provider.questions.withLock { $0 } == [false, true])
  }

  @Test func aPasswordThatIsAskedForAndMissingIsAnAuthenticationFailure() throws {
    let folder = ScratchFolder()
    let settings = try PostgresSettings(string("nothing"), password: .passFile(folder.path("none")))
    let error = try #require(throws: PostgresError.self) { try PostgresConnection(settings) }
    #expect(error.isAuthenticationFailure && error.sqlState == nil)
  }

  @Test func aFailingProviderIsAnError() throws {
    struct NoPassword: Error {}
    let settings = try PostgresSettings(string("without"), password: .provider { _ in throw NoPassword() })
    let error = try #require(throws: PostgresError.self) { try PostgresConnection(settings) }
    #expect(error.message.contains("NoPassword"))
  }

  @Test func passwordFilesAreRead() throws {
    let folder = ScratchFolder()
    try "*:*:*:filed:r1ght\n".write(to: folder.file("pass"), atomically: true, encoding: .utf8)
    chmod(folder.path("pass"), 0o600)
    let settings = try PostgresSettings(string("filed"), password: .passFile(folder.path("pass")))
    #expect(try PostgresConnection(settings).isOpen)
    try "*:*:*:filed:wr0ng\n".write(to: folder.file("pass"), atomically: true, encoding: .utf8)
    chmod(folder.path("pass"), 0o600)
    let error = try #require(throws: PostgresError.self) { try PostgresConnection(settings) }
    #expect(error.sqlState == "28P01" && !error.description.contains("wr0ng"))
  }

  /// What the configuration says wins over the environment. The variables are set in a process of their own.
  @Test func passwordsOfTheEnvironmentAreIgnoredWhenAnotherSourceIsNamed() async throws {
    let folder = ScratchFolder()
    try "*:*:*:certain:r1ght\n".write(to: folder.file("pass"), atomically: true, encoding: .utf8)
    chmod(folder.path("pass"), 0o600)
    let (string, file) = (try string("certain"), folder.path("pass"))
    await #expect(processExitsWith: .success) {
      [string = string as String, file = file as String] in
      setenv("PGPASSWORD", "wr0ng", 1)
      setenv("PGPASSFILE", file, 1)
      #expect(try PostgresConnection(PostgresSettings(string, password: .passFile(file))).isOpen)
      let provided = try PostgresSettings(string, password: .provider { _ in "r1ght" })
      #expect(try PostgresConnection(provided).isOpen)
      // An empty text is no password, either.
      setenv("PGPASSWORD", "r1ght", 1)
      let empty = try PostgresSettings(string, password: .provider { _ in "" })
      let error = try #require(throws: PostgresError.self) { try PostgresConnection(empty) }
      #expect(error.isAuthenticationFailure)
      #expect(try PostgresConnection(PostgresSettings(string)).isOpen)
    }
  }
}
