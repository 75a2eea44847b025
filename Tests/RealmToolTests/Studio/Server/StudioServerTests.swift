import Foundation
import LibC
import Synchronization
import TestSupport
import Testing

@testable import RealmTool

/// The server over sockets.
struct StudioServerTests {
  @Test func pageAndFileAreAnswered() throws {
    let running = try RunningStudio()
    let page = try #require(try running.answer("GET", "/", token: ""))
    #expect(page.status == 200)
    #expect(page.text.contains("<!doctype html>") || page.text.contains("<!DOCTYPE html>"))
    let file = try #require(try running.answer("GET", "/api/file"))
    #expect(file.status == 200)
    #expect(file.headers["content-type"] == "application/json")
    #expect(file.text.hasPrefix(#"{"name":"small.realm","writable":false,"encrypted":false,"#))
    #expect(
      try running.answer("GET", "/opening-script.js", token: "")?.text.contains("location.hash") == true)
  }

  /// The rules hold for what comes over the network, and all answers have the headers.
  @Test func requestsAreRefusedBeforeTheyAreRouted() throws {
    let running = try RunningStudio()
    let foreign = "http://evil.example"
    for request in StudioFixture.requests + ["GET /"] {
      let (method, target) = ("\(request.prefix { $0 != " " })", "\(request.drop { $0 != " " }.dropFirst())")
      let cases: [([String: String], Int)] = [
        (["Host": "rebound.example:\(running.port)"], 403), (["Origin": foreign], 403),
        (["Sec-Fetch-Site": "cross-site"], 403), (["X-Studio-Token": StudioToken().text], 401),
      ]
      for (headers, status) in cases where target != "/" || status == 403 {
        let answer = try #require(try running.answer(method, target, headers: headers))
        #expect(answer.status == status, "\(request)")
        #expect(answer.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
        #expect(answer.headers["x-content-type-options"] == "nosniff")
        #expect(answer.headers["cache-control"] == "no-store")
        #expect(answer.headers["access-control-allow-origin"] == nil)
      }
    }
  }

  /// Two headers of a name are not one of them.
  @Test func repeatedHeadersAreRefused() throws {
    let running = try RunningStudio()
    let host = "Host: 127.0.0.1:\(running.port)\r\n"
    for (extra, status) in [
      ("Host: rebound.example\r\n", 403),
      ("Origin: http://127.0.0.1:\(running.port)\r\nOrigin: null\r\n", 403),
      ("X-Studio-Token: \(running.token)\r\nX-Studio-Token: x\r\n", 401),
    ] {
      let client = try RawClient(port: running.port)
      client.send("GET /api/file HTTP/1.1\r\n\(host)\(extra)\r\n")
      // The daemon itself may refuse it.
      #expect([status, 400].contains(client.answer()?.status ?? 400))
    }
  }

  @Test func oneConnectionServesManyRequests() throws {
    let running = try RunningStudio()
    let client = try RawClient(port: running.port)
    for _ in 0..<50 {
      client.request("GET", "/api/file", token: running.token)
      client.request("GET", "/main.js", token: nil)
      #expect(client.answer()?.status == 200)
      #expect(client.answer()?.headers["content-type"] == "text/javascript; charset=utf-8")
    }
  }

  // MARK: Bodies

  private static let echo = StudioRoute(.post, "echo") { request, _ in
    .bytes(request.body, type: "application/octet-stream")
  }

  @Test func bodiesArriveWhole() throws {
    let running = try RunningStudio(routes: [Self.echo])
    let body = (0..<StudioRoute.usualBodyLimit).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let answer = try #require(try running.answer("POST", "/api/echo", body: body))
    #expect(answer.status == 200)
    #expect(answer.body == body)
    let client = try RawClient(port: running.port)
    client.request(
      "POST", "/api/echo", token: running.token,
      headers: ["Transfer-Encoding": "chunked", "Content-Type": "application/json"])
    for part in ["{\"a\"", ":1}"] { client.send("\(String(part.utf8.count, radix: 16))\r\n\(part)\r\n") }
    client.send("0\r\n\r\n")
    #expect(client.answer()?.text == "{\"a\":1}")
  }

  @Test func oversizedBodiesAreRefused() throws {
    let running = try RunningStudio(routes: [Self.echo])
    let body = [UInt8](repeating: 32, count: StudioRoute.usualBodyLimit + 1)
    #expect(try running.answer("POST", "/api/echo", body: body)?.status == 413)
    // Without waiting for a body that would be dropped.
    let declared = ["Content-Length": "\(1 << 40)", "Content-Type": "application/json"]
    #expect(try running.answer("POST", "/api/echo", headers: declared)?.status == 413)
    let asking = [
      "Content-Length": "\(3 << 20)", "Content-Type": "application/json", "Expect": "100-continue",
    ]
    #expect(try running.answer("POST", "/api/echo", headers: asking)?.status == 413)
    // Of a size that is not known before.
    let client = try RawClient(port: running.port)
    client.request(
      "POST", "/api/echo", token: running.token,
      headers: ["Transfer-Encoding": "chunked", "Content-Type": "application/json"])
    for _ in 0..<33 {
      client.send("10000\r\n")
      client.send([UInt8](repeating: 32, count: 0x10000) + Array("\r\n".utf8))
    }
    client.send("0\r\n\r\n")
    #expect(client.answer()?.status == 413)
    // One that never ends is not read for ever.
    var limits = StudioServer.Limits()
    limits.dropped = 1 << 20
    let small = try RunningStudio(limits: limits, routes: [Self.echo])
    let flood = try RawClient(port: small.port)
    flood.request(
      "POST", "/api/echo", token: nil,
      headers: ["Transfer-Encoding": "chunked", "Content-Type": "application/json"])
    for _ in 0..<64 {
      flood.send("10000\r\n")
      flood.send([UInt8](repeating: 32, count: 0x10000) + Array("\r\n".utf8))
    }
    flood.waitForEnd()
  }

  @Test func longHeadsAreRefused() throws {
    let running = try RunningStudio()
    let client = try RawClient(port: running.port)
    client.send(
      "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(running.port)\r\nX: \(String(repeating: "x", count: 1 << 20))\r\n\r\n"
    )
    #expect([nil, 413, 431].contains(client.answer()?.status))
    #expect(try running.answer("GET", "/api/file")?.status == 200)
  }

  // MARK: Slow and many clients

  @Test func slowClientsAreClosed() throws {
    var limits = StudioServer.Limits()
    (limits.head, limits.body, limits.check) = (0.2, 0.2, 0.05)
    let running = try RunningStudio(limits: limits, routes: [Self.echo])
    let head = "POST /api/echo HTTP/1.1\r\nHost: 127.0.0.1:\(running.port)\r\n"
    let silent = try RawClient(port: running.port)
    let slowHead = try RawClient(port: running.port)
    slowHead.send(head)
    let slowBody = try RawClient(port: running.port)
    slowBody.send(
      head
        + "X-Studio-Token: \(running.token)\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
    )
    #expect(try running.answer("GET", "/api/file")?.status == 200)
    // Each byte would start the time of a limit of silence anew.
    while isOpen(slowHead) || isOpen(slowBody) {
      slowHead.send("X")
      slowBody.send(" ")
      usleep(10_000)
    }
    silent.waitForEnd()
  }

  private func isOpen(_ client: RawClient) -> Bool {
    var byte: UInt8 = 0
    let count = recv(client.socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return count < 0 && errno == EAGAIN
  }

  @Test func manyConnectionsWaitForTheirTurn() throws {
    let running = try RunningStudio()
    var clients = try (0..<40).map { _ in try RawClient(port: running.port) }
    for client in clients { client.request("GET", "/api/file", token: running.token) }
    // Connections over the limit are served when earlier ones end.
    for _ in 0..<40 { #expect(clients.removeFirst().answer()?.status == 200) }
    #expect(try running.answer("GET", "/")?.status == 200)
  }

  @Test func aLongAnswerStopsNoOther() throws {
    let gate = DispatchSemaphore(value: 0)
    let waiting = StudioRoute(.get, "wait") { _, _ in
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          gate.waitOrStop()
          continuation.resume()
        }
      }
      return .json(Array("{}".utf8))
    }
    let running = try RunningStudio(routes: [waiting])
    let client = try RawClient(port: running.port)
    client.request("GET", "/api/wait", token: running.token)
    #expect(try running.answer("GET", "/api/file")?.status == 200)
    gate.signal()
    #expect(client.answer()?.text == "{}")
  }

  /// Whatever comes, the server goes on.
  @Test func randomBytesAreSurvived() throws {
    let running = try RunningStudio(routes: [Self.echo])
    var random = SeededGenerator(printing: .random(in: 0...UInt64.max))
    let parts = [
      "GET", "POST ", " /api/file", " /api/echo", " HTTP/1.1", "\r\n", "\r\n\r\n",
      "Host: 127.0.0.1:\(running.port)",
      "X-Studio-Token: \(running.token)", "Content-Length: 5", "Content-Length: -1",
      "Transfer-Encoding: chunked",
      "Content-Type: application/json", "5\r\nabcde\r\n", "0\r\n\r\n", "\u{0}", "é", ": ", "%2e%2e", "?a=%",
    ]
    for _ in 0..<200 {
      let client = try RawClient(port: running.port)
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        if Bool.random(using: &random) {
          client.send(parts.randomElement(using: &random)!)
        } else {
          client.send(
            (0..<Int.random(in: 0...20, using: &random)).map { _ in .random(in: 0...255, using: &random) })
        }
      }
    }
    #expect(try running.answer("GET", "/api/file")?.status == 200)
  }

  /// More clients than there are connections that have left amid a request keep no connection.
  @Test func clientsThatLeaveAmidARequestFreeTheirConnections() throws {
    var limits = StudioServer.Limits()
    (limits.idle, limits.head) = (100_000, 100_000)
    let running = try RunningStudio(limits: limits)
    for number in 0..<100 {
      let client = try RawClient(port: running.port)
      client.send(String(repeating: "X", count: number))
    }
    #expect(try running.answer("GET", "/api/file")?.status == 200)
  }
}
