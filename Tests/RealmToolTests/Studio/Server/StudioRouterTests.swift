import Foundation
import TestSupport
import Testing

@testable import RealmTool

/// What is found for a request that has passed the gate.
struct StudioRouterTests {
  private let studio: StudioFixture

  init() throws { studio = try StudioFixture() }

  private static let always = [
    "Content-Security-Policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
  ]

  @Test func allAnswersHaveTheHeaders() async {
    let answers = [
      await studio.answer(studio.head("GET", "/")), await studio.answer(studio.head("GET", "/main.js")),
      await studio.answer(studio.head("GET", "/api/file")),
      await studio.answer(studio.head("GET", "/api/events")),
      await studio.answer(studio.head("GET", "/api/nothing")),
      await studio.answer(studio.head("PUT", "/api/file")), await studio.answer(studio.head("GET", "/%zz")),
      await studio.answer(studio.head("GET", "/api/file", ["Host": ["evil.example"]])),
      await studio.answer(studio.head("GET", "/api/file", ["X-Studio-Token": []])),
      StudioAnswer(StudioReply.bytes([], type: "application/octet-stream", fileName: "x")),
      StudioAnswer(StudioReply.stream(type: "text/csv", fileName: "x.csv", producer: { nil })),
      StudioAnswer(StudioFault(500, "x")),
    ]
    for answer in answers {
      for (name, value) in Self.always { #expect(answer.header(name) == value, "\(answer.status)") }
      #expect(answer.header("Cache-Control") == (answer.header("ETag") == nil ? "no-store" : "no-cache"))
      #expect(answer.header("Set-Cookie") == nil)
      #expect(!answer.headers.contains { $0.name.lowercased().hasPrefix("access-control") })
    }
  }

  @Test func filesOfThePageAreCachedByTheirContent() async throws {
    for (target, type) in [("/", "text/html"), ("/main.js", "text/javascript"), ("/style.css", "text/css")] {
      let answer = await studio.answer(studio.head("GET", target))
      #expect(answer.status == 200)
      #expect(answer.header("Content-Type") == "\(type); charset=utf-8")
      let tag = try #require(answer.header("ETag"))
      let again = await studio.answer(studio.head("GET", target, ["If-None-Match": [tag]]))
      #expect(again.status == 304)
      #expect(again.text.isEmpty)
      #expect(await studio.answer(studio.head("GET", target, ["If-None-Match": ["\"0\""]])).status == 200)
      #expect(await studio.answer(studio.head("POST", target)).status == 405)
    }
  }

  private static let strangePaths = [
    "/../etc/passwd", "/..", "/./index.html", "//index.html", "/index.html/", "/index.html/..",
    "/x/../index.html",
    "/%2e%2e/etc/passwd", "/..%2fetc/passwd", "/index%2Ehtml", "/%69ndex.html", "/index.html%00", "/.hidden",
    "/folder", "/folder/", "/folder/../index.html", "/folder//inner.js", "/outside.js", "/outside/secret.js",
    "/INDEX.HTML", "/api%2ffile", "/apifile", "/\\..\\secret.js", "/index.html;x",
  ]

  @Test(arguments: strangePaths) func pathsThatAreNotNormalisedReachNoFile(path: String) async throws {
    #expect(await studio.answer(studio.head("GET", path)).status == 404)
    let folder = try Self.pageFolder()
    let page = try StudioPageFiles(folder: folder.path("page"))
    #expect(page.file(path) == nil)
  }

  @Test(arguments: ["http://127.0.0.1:8123/", "index.html", "*", "", "/#x", "/api/file#x"])
  func targetsThatAreNoPathsAreRefused(target: String) async {
    #expect(await studio.answer(studio.head("GET", target)).status == 400)
  }

  private static func pageFolder() throws -> ScratchFolder {
    let folder = ScratchFolder()
    for name in ["page/folder", "secret"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }
    for name in ["page/index.html", "page/.hidden", "page/folder/inner.js", "secret/secret.js"] {
      try Data(name.utf8).write(to: folder.file(name))
    }
    for (link, target) in [("page/outside.js", "secret/secret.js"), ("page/outside", "secret")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(link), withDestinationPath: folder.path(target))
    }
    return folder
  }

  @Test func aFolderIsServedAsItIsNow() throws {
    let folder = try Self.pageFolder()
    let page = try StudioPageFiles(folder: folder.path("page"))
    #expect(page.file("/").map { String(decoding: $0.bytes, as: UTF8.self) } == "page/index.html")
    #expect(page.file("/folder/inner.js")?.type == "text/javascript; charset=utf-8")
    try Data("new".utf8).write(to: folder.file("page/index.html"))
    #expect(page.file("/").map { String(decoding: $0.bytes, as: UTF8.self) } == "new")
    #expect(throws: ToolError.self) { try StudioPageFiles(folder: folder.path("nothing")) }
    #expect(throws: ToolError.self) { try StudioPageFiles(folder: folder.path("page/index.html")) }
  }

  // MARK: Routes

  @Test func partsOfThePathAndTheQueryAreDecoded() async throws {
    let route = StudioRoute(.get, "echo/*/x/*") { request, _ in
      var bytes: [UInt8] = []
      for text in request.arguments + request.query.sorted(by: <).flatMap({ [$0.key, $0.value] }) {
        bytes.appendJSON(text)
      }
      return .json(bytes)
    }
    let studio = try StudioFixture(routes: [route])
    let answer = await studio.answer(
      studio.head("GET", "/api/echo/a%20b%2F..%2Fc/x/%F0%9F%98%80+?k=a+b%26&l=%22&m&k=2"))
    #expect(answer.text == #""a b/../c""😀+""k""2""l""\"""m""""#)
    for target in ["/api/echo/%/x/1", "/api/echo/%F0/x/1", "/api/echo/1/x/%zz", "/api/echo/1/x/1?a=%f"] {
      #expect(await studio.answer(studio.head("GET", target)).status == 400)
    }
    for target in ["/api/echo/1/x/1/", "/api/echo//1/x/1", "/api/echo/1/../1", "/api//echo/1/x/1"] {
      #expect(await studio.answer(studio.head("GET", target)).status == 404)
    }
    #expect(await studio.answer(studio.head("DELETE", "/api/echo/1/x/1")).status == 405)
  }

  /// All routes and all methods: a server that only reads has no route that writes.
  @Test func nothingChangesTheFileWithoutWrite() async throws {
    let reading = StudioRoute.all(isWritable: false)
    let isThere = { (route: StudioRoute) in
      reading.contains { $0.method == route.method && $0.pattern == route.pattern }
    }
    let before = try content()
    for (route, target) in StudioFixture.targets {
      for method in StudioRequest.Method.allCases where method != route.method || !isThere(route) {
        let json = ["Content-Type": ["application/json"], "Content-Length": ["2"]]
        let answer = await studio.answer(studio.head(method.rawValue, target, json), body: "{}")
        // Another route may have the path and this method.
        if !reading.contains(where: { $0.method == method && $0.arguments(parts(target)) != nil }) {
          #expect([404, 405].contains(answer.status), "\(method) \(target)")
        }
      }
    }
    #expect(await studio.answer(studio.head("POST", "/api/compact")).status == 404)
    for route in reading where route.method != .get {
      #expect(
        ["view", "verify", "paste/preview"].contains(route.pattern.map { $0 ?? "*" }.joined(separator: "/")),
        "a route that changes something exists without --write")
    }
    #expect(try content() == before)
  }

  /// The bytes of the file without the table of listeners, in which every process that follows changes has an entry.
  private func content() throws -> Data {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: studio.path))
    bytes.replaceSubrange(2048..<4096, with: repeatElement(0, count: 2048))
    return bytes
  }

  private func parts(_ target: String) -> [String] {
    target.dropFirst("/api/".count).split(separator: "/").map(String.init)
  }

  @Test func bodiesAreLimitedBeforeTheyCome() async throws {
    let writable = try StudioFixture(isWritable: true)
    for (route, target) in StudioFixture.targets {
      let size = ["Content-Type": ["application/json"], "Content-Length": ["\(route.bodyLimit + 1)"]]
      let answer = await writable.answer(writable.head(route.method.rawValue, target, size))
      #expect(answer.status == 413, "\(target)")
      #expect([2 << 20, 16 << 20].contains(route.bodyLimit))
      let huge = ["Content-Type": ["application/json"], "Content-Length": ["99999999999999999999"]]
      #expect(await writable.answer(writable.head(route.method.rawValue, target, huge)).status == 413)
    }
  }

  /// A form of another site can send the types of forms, but no JSON.
  @Test(arguments: [
    [], ["text/plain"], ["application/x-www-form-urlencoded"], ["multipart/form-data; boundary=x"],
  ])
  func bodiesAreJSON(types: [String]) async {
    let form = ["Content-Type": types, "Content-Length": ["2"]]
    #expect(await studio.answer(studio.head("POST", "/api/verify", form), body: "{}").status == 415)
    let chunked = ["Content-Type": types, "Transfer-Encoding": ["chunked"]]
    #expect(await studio.answer(studio.head("POST", "/api/verify", chunked), body: "{}").status == 415)
  }

  // MARK: Answers

  /// Foreign text in a failure is the value of a member, and never markup.
  @Test func failuresAreJSON() async throws {
    let text = "<script>alert(\"1\")</script>\u{2028}\n' & é 😀"
    let failing = StudioRoute(.get, "fail/*") { request, _ in
      switch request.arguments[0] {
      case "fault": throw StudioFault(409, text, details: #""n":1"#)
      case "usage": throw UsageError(text)
      case "tool": throw ToolError(text)
      case "late": throw CancellationError()
      default: return .json(Array("\(try request.number(0))".utf8))
      }
    }
    let studio = try StudioFixture(routes: [failing])
    for (name, status) in [("fault", 409), ("usage", 422), ("tool", 500)] {
      let answer = await studio.answer(studio.head("GET", "/api/fail/\(name)"))
      #expect(answer.status == status)
      #expect(answer.message == text)
      #expect(answer.header("Content-Type") == "application/json")
    }
    #expect(await studio.answer(studio.head("GET", "/api/fail/late")).status == 408)
    let answer = await studio.answer(studio.head("GET", "/api/fail/%3Cb%3E"))
    #expect(answer.status == 400)
    #expect(answer.message == "'<b>' in the path is not a number.")
    #expect(answer.header("Content-Type") == "application/json")
  }

  @Test(arguments: [
    ("Dog.csv", #"attachment; filename="Dog.csv""#),
    (
      "a\"\r\nSet-Cookie: x=1;é.csv",
      "attachment; filename=\"download\"; filename*=UTF-8''a%22%0D%0ASet-Cookie%3A%20x%3D1%3B%C3%A9.csv"
    ),
  ])
  func namesOfDownloadsAreEscaped(name: String, header: String) {
    let answer = StudioAnswer(.bytes([1], type: "application/octet-stream", fileName: name))
    #expect(answer.header("Content-Disposition") == header)
  }
}
