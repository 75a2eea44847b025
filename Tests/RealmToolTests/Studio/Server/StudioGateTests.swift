import Foundation
import TestSupport
import Testing

@testable import RealmTool

/// Requests that are refused before they are routed.
struct StudioGateTests {
  private let studio: StudioFixture
  private static let port = StudioFixture.port
  private static let everything =
    StudioFixture.requests + ["GET /", "GET /main.js", "PUT /x", "OPTIONS /api/file"]

  init() throws { studio = try StudioFixture() }

  private func status(_ request: String, _ headers: [String: [String]]) async -> Int {
    let parts = request.split(separator: " ").map(String.init)
    return await studio.answer(studio.head(parts[0], parts[1], headers)).status
  }

  @Test func thePageIsAnswered() async {
    #expect(await status("GET /", ["X-Studio-Token": []]) == 200)
    #expect(await status("GET /api/file", [:]) == 200)
    #expect(await status("GET /api/file", ["Origin": [], "Sec-Fetch-Site": []]) == 200)
    #expect(await status("GET /api/file", ["Origin": [], "Sec-Fetch-Site": ["none"]]) == 200)
    let local = "localhost:\(Self.port)"
    #expect(await status("GET /api/file", ["Host": [local], "Origin": ["http://\(local)"]]) == 200)
  }

  /// A name that a foreign page lets resolve to the loopback address.
  @Test(arguments: [
    [], ["rebound.example:\(port)"], ["rebound.example"], ["127.0.0.1"], ["127.0.0.1:\(port + 1)"],
    ["127.0.0.1.:\(port)"], ["localhost.rebound.example:\(port)"], ["127.0.0.1:\(port)0"], ["[::1]:\(port)"],
    ["0.0.0.0:\(port)"], ["LOCALHOST:\(port)"], ["127.0.0.1:\(port)", "rebound.example:\(port)"],
    ["127.0.0.1:\(port)", "127.0.0.1:\(port)"], ["127.0.0.1:\(port), rebound.example"], [""],
  ])
  func aForeignHostIsRefused(host: [String]) async {
    for request in Self.everything {
      #expect(await status(request, ["Host": host, "Origin": []]) == 403, "\(request)")
      if host.count == 1 {
        #expect(await status(request, ["Host": host, "Origin": ["http://\(host[0])"]]) == 403, "\(request)")
      }
    }
  }

  @Test(arguments: [
    ["http://evil.example"], ["null"], [""], ["https://127.0.0.1:\(port)"], ["http://127.0.0.1"],
    ["http://127.0.0.1:\(port + 1)"], ["http://localhost:\(port)"], ["127.0.0.1:\(port)"],
    ["http://127.0.0.1:\(port).evil.example"], ["http://127.0.0.1:\(port)", "http://evil.example"],
  ])
  func aForeignOriginIsRefused(origin: [String]) async {
    for request in Self.everything { #expect(await status(request, ["Origin": origin]) == 403, "\(request)") }
  }

  @Test(arguments: [["cross-site"], ["same-site"], [""], ["Same-Origin"], ["same-origin", "cross-site"]])
  func aForeignSiteIsRefused(site: [String]) async {
    for request in Self.everything {
      #expect(await status(request, ["Sec-Fetch-Site": site, "Origin": []]) == 403, "\(request)")
    }
  }

  @Test func nothingOfTheFileIsAnsweredWithoutTheToken() async {
    let token = studio.gate.token.text
    let wrong: [[String]] = [
      [], [""], [StudioToken().text], [String(token.dropLast())], [token + "A"], [token.lowercased() + "a"],
      [token, token], [" " + token], [String(token.reversed()) + "="],
    ]
    for request in StudioFixture.requests {
      for given in wrong {
        #expect(await status(request, ["X-Studio-Token": given]) == 401, "\(request) \(given.count)")
      }
      // Nowhere but in the header.
      let (method, target) = (request.prefix { $0 != " " }, request.drop { $0 != " " }.dropFirst())
      let separator = target.contains("?") ? "&" : "?"
      let inQuery = studio.head(
        "\(method)", "\(target)\(separator)token=\(token)",
        ["X-Studio-Token": [], "Cookie": ["token=\(token)"]])
      #expect(await studio.answer(inQuery).status == 401, "\(request)")
    }
  }

  @Test(arguments: ["PUT", "OPTIONS", "HEAD", "TRACE", "CONNECT", "get", "", "PROPFIND"])
  func unknownMethodsAreRefused(method: String) async {
    for target in ["/", "/api/file", "/api/verify", "/nothing"] {
      let answer = await studio.answer(studio.head(method, target))
      #expect(answer.status == 405)
      #expect(answer.header("Allow") == "GET, POST, PATCH, DELETE")
      #expect(!answer.headers.contains { $0.name.lowercased().hasPrefix("access-control") })
    }
  }

  // MARK: The browser's first request

  private func opening(_ target: String, _ replaced: [String: [String]] = [:]) -> StudioHead {
    let navigation = [
      "Origin": [], "X-Studio-Token": [], "Sec-Fetch-Site": ["cross-site"], "Sec-Fetch-Mode": ["navigate"],
      "Sec-Fetch-Dest": ["document"],
    ]
    return studio.head("GET", target, navigation.merging(replaced) { $1 })
  }

  @Test func thePassOpensThePageOnce() async {
    #expect(await studio.answer(opening("/?open=")).status == 403)
    let target = "/?open=\(studio.gate.makePass().text)"
    #expect(await studio.answer(opening("/")).status == 403)
    #expect(await studio.answer(opening("/?open=\(StudioToken().text)")).status == 403)
    #expect(await studio.answer(opening(target, ["Sec-Fetch-Dest": ["iframe"]])).status == 403)
    #expect(await studio.answer(opening(target, ["Sec-Fetch-Mode": ["no-cors"]])).status == 403)
    #expect(await studio.answer(opening(target, ["Host": ["rebound.example:\(Self.port)"]])).status == 403)
    #expect(await studio.answer(opening(target, ["Origin": ["null"]])).status == 403)
    let answer = await studio.answer(opening(target))
    #expect(answer.status == 200)
    #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
    #expect(answer.text.contains("opening-script.js"))
    #expect(await studio.answer(opening(target)).status == 403)
  }

  // MARK: The token

  @Test func tokensAreRandomAndFitInALink() {
    let tokens = (0..<1000).map { _ in StudioToken().text }
    #expect(Set(tokens).count == 1000)
    for token in tokens { #expect(token.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil) }
    // Each place has nearly every character at some time.
    for place in 0..<42 { #expect(Set(tokens.map { Array($0)[place] }).count > 50) }
  }

  @Test func aTokenOfTheUserIsLongAndFitsInALink() {
    #expect(StudioToken(String(repeating: "a", count: 32)) != nil)
    #expect(StudioToken(String(repeating: "a", count: 31)) == nil)
    for wrong in ["#", " ", "/", "é", "\n", "%"] {
      #expect(StudioToken(String(repeating: "a", count: 40) + wrong) == nil)
    }
  }
}
