import Foundation
import TestSupport

@testable import RealmTool

/// A session of a small file, and requests to it.
struct StudioFixture {
  static let port = 8123

  let folder = ScratchFolder()
  let path: String
  let session: StudioSession
  let router: StudioRouter
  var gate: StudioGate { router.gate }

  /// - Parameter path: A file; a small one of the fixture's own when nil.
  init(
    path: String? = nil, isWritable: Bool = false, port: Int = port, routes: [StudioRoute] = []
  ) throws {
    self.path = try path ?? World.small(in: folder)
    session = try StudioSession(path: self.path, key: nil, isWritable: isWritable)
    router = StudioRouter(
      gate: StudioGate(port: port, token: StudioToken()), page: StudioPageFiles(),
      routes: StudioRoute.all(isWritable: isWritable) + routes, session: session)
  }

  /// The headers of a request of the page; those given replace those of the same name, and an empty array removes one.
  func head(
    _ method: String, _ target: String, _ replaced: [String: [String]] = [:]
  ) -> StudioHead {
    var headers: [String: [String]] = [
      "Host": ["127.0.0.1:\(Self.port)"], "Origin": ["http://127.0.0.1:\(Self.port)"],
      "Sec-Fetch-Site": ["same-origin"], "X-Studio-Token": [gate.token.text],
    ]
    headers.merge(replaced) { $1 }
    return StudioHead(
      method: method, target: target,
      headers: headers.flatMap { name, values in values.map { (name, $0) } })
  }

  /// Answers as the server does.
  func answer(_ head: StudioHead, body: String = "") async -> StudioAnswer {
    switch router.receive(head) {
    case .answer(let answer): answer
    case .call(let call): await router.answer(call, body: Array(body.utf8))
    }
  }

  /// All routes of a server that can write, with a path for each.
  static let targets: [(route: StudioRoute, target: String)] = StudioRoute.all(isWritable: true).map {
    route in
    (route, "/api/" + route.pattern.map { $0 ?? "1" }.joined(separator: "/"))
  }

  /// Requests of all routes, and of two paths without a route.
  static let requests: [String] =
    targets.map { "\($0.route.method.rawValue) \($0.target)" } + [
      "GET /api/view/1/export?format=csv", "GET /api/nothing", "POST /api",
    ]
}

extension StudioAnswer {
  var text: String {
    if case .bytes(let bytes) = content { return String(decoding: bytes, as: UTF8.self) }
    return ""
  }

  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  /// The message of a failure.
  var message: String? {
    let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    return object?["message"] as? String
  }
}
