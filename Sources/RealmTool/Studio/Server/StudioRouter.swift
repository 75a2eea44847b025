/// Finds what answers a request, once it has passed the gate.
struct StudioRouter: Sendable {
  let gate: StudioGate
  let page: StudioPageFiles
  let routes: [StudioRoute]
  let session: StudioSession

  /// Result of checking the head of a request.
  enum Reception: Sendable {
    /// The answer is known without the body, which is not held.
    case answer(StudioAnswer)
    case call(StudioCall)
  }

  /// A request whose route is known and whose body is still to come.
  struct StudioCall: Sendable {
    let route: StudioRoute
    let method: StudioRequest.Method
    let arguments: [String]
    let query: [String: String]
  }

  /// Checks the head of a request, and finds its route or its answer.
  func receive(_ head: StudioHead) -> Reception {
    do throws(StudioFault) {
      try gate.check(head)
      guard let method = StudioRequest.Method(rawValue: head.method) else { throw .wrongMethod }
      guard head.target.hasPrefix("/"), !head.target.contains("#") else {
        throw StudioFault(400, "The target of the request is not a path.")
      }
      if head.path == "/api" || head.path.hasPrefix("/api/") {
        try gate.checkToken(head)
        return .call(try call(method, head))
      }
      return .answer(try pageFile(method, head))
    } catch {
      let allowed = StudioRequest.Method.allCases.map(\.rawValue).joined(separator: ", ")
      return .answer(StudioAnswer(error, further: error.status == 405 ? [("Allow", allowed)] : []))
    }
  }

  private func pageFile(
    _ method: StudioRequest.Method, _ head: StudioHead
  ) throws(StudioFault) -> StudioAnswer {
    let file = head.target.hasPrefix(StudioGate.passPrefix) ? StudioPageFiles.opening : page.file(head.path)
    guard let file else { throw StudioFault(404, "There is no such page.") }
    guard method == .get else { throw .wrongMethod }
    if head.values("if-none-match") == [file.tag] {
      return StudioAnswer(304, .bytes([]), type: nil, caching: "no-cache", further: [("ETag", file.tag)])
    }
    return StudioAnswer(
      200, .bytes(file.bytes), type: file.type, caching: "no-cache", further: [("ETag", file.tag)])
  }

  private func call(_ method: StudioRequest.Method, _ head: StudioHead) throws(StudioFault) -> StudioCall {
    var parts: [String] = []
    for part in head.path.dropFirst("/api/".count).split(separator: "/", omittingEmptySubsequences: false) {
      guard let text = PercentDecoding.text(part) else {
        throw StudioFault(400, "The path has a part that is not percent-encoded UTF-8.")
      }
      parts.append(text)
    }
    guard let query = PercentDecoding.query(head.queryText ?? "") else {
      throw StudioFault(400, "The query string is not percent-encoded UTF-8.")
    }
    var isThere = false
    for route in routes {
      guard let arguments = route.arguments(parts) else { continue }
      isThere = true
      if route.method != method { continue }
      let size = head.declaredSize
      if size ?? 0 > route.bodyLimit { throw .tooLarge(limit: route.bodyLimit) }
      try checkType(head, hasBody: size != 0)
      return StudioCall(route: route, method: method, arguments: arguments, query: query)
    }
    if isThere { throw .wrongMethod }
    throw StudioFault(404, "There is no such route.")
  }

  /// Forms of other sites can send bodies of some types without being asked, but none of this one.
  private func checkType(_ head: StudioHead, hasBody: Bool) throws(StudioFault) {
    guard hasBody else { return }
    let types = head.values("content-type").map { $0.prefix { $0 != ";" }.lowercased() }
    guard types == ["application/json"] else {
      throw StudioFault(415, "The body of the request has to be of the type application/json.")
    }
  }

  /// Runs a route.
  func answer(_ call: StudioCall, body: [UInt8]) async -> StudioAnswer {
    do {
      let request = StudioRequest(call.method, arguments: call.arguments, query: call.query, body: body)
      return StudioAnswer(try await call.route.answer(request, session))
    } catch {
      return StudioAnswer(StudioFault(error))
    }
  }
}
