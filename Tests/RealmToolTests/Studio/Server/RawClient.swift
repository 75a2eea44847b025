import Foundation
import LibC
import TestSupport

@testable import RealmTool

/// A client that sends any bytes to a port of the loopback address.
final class RawClient {
  struct ConnectionError: Error {
    let description: String
  }

  struct Answer {
    var status = 0
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  let socket: Int32
  private var received: [UInt8] = []
  private let port: Int

  init(port: Int) throws {
    self.port = port
    socket = LibC.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafeBytes(of: &address) {
      connect(socket, $0.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t($0.count))
    }
    guard result == 0 else {
      throw ConnectionError(description: "connect: \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(socket) }

  /// Sends bytes; those for a server that has closed the connection are lost.
  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        LibC.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends a request with the headers that the server asks for.
  func request(
    _ method: String, _ target: String, token: String?, headers: [String: String] = [:], body: [UInt8]? = nil
  ) {
    var text = "\(method) \(target) HTTP/1.1\r\n"
    var all = ["Host": "127.0.0.1:\(port)"]
    if let token { all["X-Studio-Token"] = token }
    if let body { all.merge(["Content-Length": "\(body.count)", "Content-Type": "application/json"]) { $1 } }
    for (name, value) in all.merging(headers, uniquingKeysWith: { $1 }) where !value.isEmpty {
      text += "\(name): \(value)\r\n"
    }
    send(Array((text + "\r\n").utf8) + (body ?? []))
  }

  /// Reads more; false at the end of the connection.
  @discardableResult
  func readMore() -> Bool {
    guard ChildProgram.canRead(socket) else { return false }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(socket, &buffer, buffer.count)
    if count <= 0 { return false }
    received += buffer[..<count]
    return true
  }

  /// Reads until a text has come, and takes all up to its end; nil when the connection ends before.
  func take(through text: String) -> String? {
    let wanted = Data(text.utf8)
    while true {
      if let found = Data(received).firstRange(of: wanted) {
        defer { received.removeSubrange(..<found.upperBound) }
        return String(decoding: received[..<found.upperBound], as: UTF8.self)
      }
      if !readMore() { return nil }
    }
  }

  /// Reads the head of an answer; nil when the connection ends before.
  func head() -> Answer? {
    guard let head = take(through: "\r\n\r\n") else { return nil }
    var answer = Answer()
    let lines = head.components(separatedBy: "\r\n")
    answer.status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      answer.headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingSpaces()
    }
    return answer
  }

  /// Reads an answer; nil when the connection ends before it is complete.
  func answer() -> Answer? {
    guard var answer = head() else { return nil }
    if answer.headers["transfer-encoding"] == "chunked" {
      while true {
        guard let line = take(through: "\r\n"), let size = Int(line.trimmingSpaces(), radix: 16),
          let bytes = take(size), take(through: "\r\n") != nil
        else { return nil }
        if size == 0 { return answer }
        answer.body += bytes
      }
    }
    guard let bytes = take(Int(answer.headers["content-length"] ?? "0") ?? 0) else { return nil }
    answer.body = bytes
    return answer
  }

  private func take(_ count: Int) -> [UInt8]? {
    while received.count < count { if !readMore() { return nil } }
    defer { received.removeFirst(count) }
    return Array(received[..<count])
  }

  /// Waits for the end of the connection.
  func waitForEnd() { while readMore() {} }
}
