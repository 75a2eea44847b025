import Synchronization

/// The conditions that a request has to satisfy before it is routed.
///
/// A page of another origin, which the user's browser may show at the same time, can send requests to this server, also under a
/// name of its own that it lets resolve to the loopback address (DNS rebinding). Its requests differ in `Host`, `Origin` or
/// `Sec-Fetch-Site`, which no script can set. Other users of the machine can send any header, but do not know the token.
final class StudioGate: Sendable {
  /// The header in which the page sends the token.
  static let tokenHeader = "x-studio-token"

  let token: StudioToken
  /// The values of `Host` that name this server.
  let hosts: [String]
  /// The secret of the link that opens the browser; nil once it was used.
  private let pass = Mutex<StudioToken?>(nil)

  /// - Parameter address: The address of `--host` besides the loopback address, nil for none.
  init(port: Int, address: String? = nil, token: StudioToken) {
    self.token = token
    let names = ["127.0.0.1", "localhost"] + (address.map { [$0.contains(":") ? "[\($0)]" : $0] } ?? [])
    // Browsers leave out the port that HTTP has by default.
    hosts = names.map { "\($0):\(port)" } + (port == 80 ? names : [])
  }

  /// Throws status 403 unless the request names this server and comes from its page, from a program, or from the user.
  func check(_ head: StudioHead) throws(StudioFault) {
    let host = head.values("host")
    guard host.count == 1, hosts.contains(host[0]) else {
      throw StudioFault(403, "The request is for another server: its header Host has to be \(hosts[0]).")
    }
    let origins = head.values("origin")
    guard origins.isEmpty || origins == ["http://\(host[0])"] else {
      throw StudioFault(403, "Requests of pages of another origin are refused.")
    }
    let sites = head.values("sec-fetch-site")
    if sites.isEmpty || sites == ["same-origin"] || sites == ["none"] || opensBrowser(head) { return }
    throw StudioFault(403, "Requests of pages of another site are refused: type or paste the link instead.")
  }

  /// Throws status 401 unless the request has the token.
  func checkToken(_ head: StudioHead) throws(StudioFault) {
    let given = head.values(Self.tokenHeader)
    guard given.count == 1, token.equals(given[0]) else {
      throw StudioFault(
        401, "The token is missing or is that of another server: open the link that realm studio printed.")
    }
  }

  // MARK: The browser's first request

  /// Makes the secret with which the file that is given to the browser may send the browser here, once.
  ///
  /// To the browser that file is a page of another site. The token itself is in no request.
  func makePass() -> StudioToken {
    let made = StudioToken()
    pass.withLock { $0 = made }
    return made
  }

  /// The path of the link with a pass.
  static let passPrefix = "/?open="

  /// Whether a navigation of the whole window has the pass, which is then used up.
  private func opensBrowser(_ head: StudioHead) -> Bool {
    guard head.method == "GET", head.target.hasPrefix(Self.passPrefix),
      head.values("sec-fetch-mode") == ["navigate"], head.values("sec-fetch-dest") == ["document"]
    else { return false }
    let given = String(head.target.dropFirst(Self.passPrefix.count))
    return pass.withLock { pass in
      guard pass?.equals(given) == true else { return false }
      pass = nil
      return true
    }
  }
}
