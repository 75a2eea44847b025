import Foundation
import LibC
import TestSupport
import Testing

@testable import RealmTool

/// `realm studio` as a program.
struct StudioCommandTests {
  /// The port and the token of a link.
  private static func parts(_ link: String?) throws -> (port: Int, token: String) {
    let match = try #require(
      link?.wholeMatch(of: /http:\/\/127\.0\.0\.1:(?<port>\d+)\/#(?<token>[A-Za-z0-9_-]{32,})/),
      "\(link ?? "")")
    return (try #require(Int(match.port)), String(match.token))
  }

  private static func status(
    _ port: Int, _ token: String, _ method: String = "GET", _ target: String = "/api/file"
  )
    throws -> Int?
  {
    let client = try RawClient(port: port)
    client.request(method, target, token: token)
    return client.answer()?.status
  }

  @Test(arguments: [SIGINT, SIGTERM]) func itRunsUntilASignal(number: Int32) throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    // Opening a file notes in it which version is read.
    let before = try RealmProgram.run("export", path, "--class", "Country", "--format", "jsonl")
    let version = try RealmFile(path: path, key: nil).realm.diagnostics.newestVersion
    let tool = try RunningTool("studio", path, "--no-browser")
    let (port, token) = try Self.parts(tool.nextLine())
    #expect(tool.firstNote() == "Showing '\(path)'. Ctrl-C ends it.\n")
    #expect(try Self.status(port, token) == 200)
    #expect(try Self.status(port, token, "POST", "/api/compact") == 404)
    // Other users of the machine can read these.
    let process = "/proc/\(tool.identifier)"
    for name in ["cmdline", "environ"] {
      let text = try Data(contentsOf: URL(fileURLWithPath: "\(process)/\(name)"))
      #expect(text.firstRange(of: Data(token.utf8)) == nil)
    }
    // A client that waits for events does not keep it.
    let client = try RawClient(port: port)
    client.request("GET", "/api/events", token: token)
    #expect(client.take(through: ":\n\n") != nil)
    tool.signal(number)
    #expect(tool.end() == 0)
    #expect(try RealmProgram.run("export", path, "--class", "Country", "--format", "jsonl") == before)
    #expect(try RealmFile(path: path, key: nil).realm.diagnostics.newestVersion == version)
  }

  @Test func eachStartHasAnotherPortAndToken() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    let (first, second) = (
      try RunningTool("studio", path, "--no-browser"), try RunningTool("studio", path, "--no-browser")
    )
    let (a, b) = (try Self.parts(first.nextLine()), try Self.parts(second.nextLine()))
    #expect(a.port != b.port)
    #expect(a.token != b.token)
    #expect(try Self.status(a.port, b.token) == 401)
    let taken = try RealmProgram.run("studio", path, "--no-browser", "--port", "\(a.port)")
    #expect(taken.status == 3)
    #expect(taken.error.contains("Failed to listen on port \(a.port) of 127.0.0.1: Address already in use."))
    for tool in [first, second] {
      tool.signal(SIGINT)
      #expect(tool.end() == 0)
    }
  }

  /// The server listens on the loopback address only.
  @Test func otherAddressesDoNotReachIt() throws {
    let listener = try StudioListener(port: 0)
    defer { close(listener.socket) }
    let rows = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8).split(separator: "\n")
    let port = String(listener.port, radix: 16, uppercase: true)
    let padded = String(repeating: "0", count: 4 - port.count) + port
    let addresses = rows.compactMap { row in row.split(separator: " ").dropFirst().first }.filter {
      $0.hasSuffix(":\(padded)")
    }
    #expect(addresses.contains("0100007F:\(padded)"))
    for address in ["0.0.0.0", "::", "::ffff:0.0.0.0", "0", "0x0"] {
      #expect(throws: ToolError.self) { try StudioListener(address: address, port: 0) }
    }
    #expect(throws: ToolError.self) { try StudioListener(address: "localhost", port: 0) }
  }

  @Test func wrongUses() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    for (arguments, status, text) in [
      (["--host", "127.0.0.1"], 2, "--host needs --token-file"), (["--port", "65536"], 2, "more than 65535"),
      (["--host", "0.0.0.0", "--token-file", folder.path("token")], 3, "all networks"),
      (["--page", folder.path("nothing")], 3, "There is no folder"),
    ] as [([String], Int32, String)] {
      let outcome = try RealmProgram.run(["studio", path, "--no-browser"] + arguments)
      #expect(outcome.status == status)
      #expect(outcome.error.contains(text), "\(outcome.error)")
      #expect(outcome.output.isEmpty)
    }
    let nothing = try RealmProgram.run("studio", folder.path("nothing.realm"))
    #expect(nothing.status == 3)
    #expect(nothing.error.contains("There is no file at"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("nothing.realm")))
  }

  @Test func aTokenFileIsOfItsOwnerOnly() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    let file = folder.path("token")
    var token = ""
    for _ in 0..<2 {
      // 127.0.0.2 is another address of the same machine.
      let tool = try RunningTool("studio", path, "--no-browser", "--host", "127.0.0.2", "--token-file", file)
      let link = try #require(tool.nextLine())
      #expect(link.hasPrefix("http://127.0.0.2:"))
      let stored = try String(contentsOfFile: file, encoding: .utf8).trimmingSpaces()
      #expect(link.hasSuffix("#\(stored)"))
      #expect(token.isEmpty || token == stored)
      token = stored
      #expect(tool.firstNote().contains("Warning: every machine that reaches 127.0.0.2 can connect"))
      tool.signal(SIGTERM)
      #expect(tool.end() == 0)
    }
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
    #expect(
      try RealmProgram.run("studio", path, "--no-browser", "--token-file", file).error.contains("chmod 600"))
    try Data("short\n".utf8).write(to: folder.file("short"))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path("short"))
    let short = try RealmProgram.run("studio", path, "--no-browser", "--token-file", folder.path("short"))
    #expect(short.error.contains("needs at least 32 letters"))
  }

  // MARK: The browser

  /// Other users can read the arguments of a browser, but not the file that it is given.
  @Test func theBrowserIsGivenAPrivateFile() async throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    let (program, said) = (folder.path("xdg-open"), folder.path("said"))
    try Data("#!/bin/sh\nprintf '%s' \"$*\" > '\(said).new'; mv '\(said).new' '\(said)'\n".utf8)
      .write(to: URL(fileURLWithPath: program))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let run = folder.path("run")
    try FileManager.default.createDirectory(atPath: run, withIntermediateDirectories: true)
    let session = try TerminalSession(
      "PATH='\(folder.path("."))':$PATH exec realm studio '\(path)'",
      environment: ["DISPLAY": ":99", "XDG_RUNTIME_DIR": run])
    #expect(session.wait(for: "Ctrl-C ends it."))
    let line = try #require(session.output.split(whereSeparator: \.isNewline).first)
    let (port, token) = try Self.parts("\(line)")
    try await eventually { FileManager.default.fileExists(atPath: said) }
    let file = try String(contentsOfFile: said, encoding: .utf8)
    #expect(file.hasPrefix(run + "/realm-studio-") && file.hasSuffix(".html"))
    #expect(!file.contains(token))
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let link = try #require(
      text.firstMatch(of: /url=http:\/\/127.0.0.1:\d+(?<target>\/\?open=[\w-]+)#(?<token>[\w-]+)"/))
    #expect(String(link.token) == token)
    for status in [200, 403] {
      let client = try RawClient(port: port)
      client.request(
        "GET", String(link.target), token: nil,
        headers: ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"])
      #expect(client.answer()?.status == status)
    }
    session.type("\u{3}")
    #expect(session.end() == 0)
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  // MARK: Files of the official SDK

  @Test func officialFilesAreNotConvertedWithoutATerminal() throws {
    let folder = ScratchFolder()
    let path = folder.path("old.realm")
    try FileManager.default.copyItem(atPath: World.official("types-small"), toPath: path)
    let outcome = try RealmProgram.run("studio", path, "--no-browser")
    #expect(outcome.status == 3)
    #expect(outcome.error.contains("realm convert '\(path)' NEW"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(".")).sorted() == ["old.realm"])
  }

  @Test(arguments: ["", "y", "other"]) func officialFilesAreConvertedAfterAQuestion(answer: String) throws {
    let folder = ScratchFolder()
    let path = folder.path("old.realm")
    try FileManager.default.copyItem(atPath: World.official("types-small"), toPath: path)
    try Data().write(to: folder.file("old-converted.realm"))
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let copy = folder.path(answer == "other" ? "other.realm" : "old-converted-2.realm")
    let session = try TerminalSession("exec realm studio '\(path)' --no-browser")
    #expect(session.wait(for: "[Y/n or another name] "))
    session.type((answer == "other" ? copy : answer) + "\n")
    #expect(session.wait(for: "/#"))
    #expect(session.wait(for: "Ctrl-C ends it."))
    session.type("\u{3}")
    #expect(session.end() == 0)
    #expect(session.output.contains("Converted "))
    #expect(try RealmProgram.run("info", copy).status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func theQuestionCanBeAnsweredWithNo() throws {
    let folder = ScratchFolder()
    let path = folder.path("old.realm")
    try FileManager.default.copyItem(atPath: World.official("types-small"), toPath: path)
    let session = try TerminalSession("realm studio '\(path)' --no-browser")
    #expect(session.wait(for: "[Y/n or another name] "))
    session.type("n\n")
    #expect(session.end() == 3)
    #expect(!FileManager.default.fileExists(atPath: folder.path("old-converted.realm")))
  }
}
