import Foundation
import TestSupport

@testable import RealmTool

/// A server in the process of the tests.
final class RunningStudio {
  let studio: StudioFixture
  let port: Int
  private let server: StudioServer
  private var isStopped = false

  init(isWritable: Bool = false, limits: StudioServer.Limits = .init(), routes: [StudioRoute] = []) throws {
    let listener = try StudioListener(port: 0)
    port = listener.port
    studio = try StudioFixture(isWritable: isWritable, port: port, routes: routes)
    server = try StudioServer(studio.router, listener: listener.socket, limits: limits)
  }

  deinit { stop() }

  func stop() {
    if !isStopped { server.stop() }
    isStopped = true
  }

  var token: String { studio.gate.token.text }

  /// Sends one request on a connection of its own. Returns nil when the connection ends without an answer.
  func answer(
    _ method: String, _ target: String, token: String? = nil, headers: [String: String] = [:],
    body: [UInt8]? = nil
  ) throws -> RawClient.Answer? {
    let client = try RawClient(port: port)
    client.request(method, target, token: token ?? self.token, headers: headers, body: body)
    return client.answer()
  }
}
