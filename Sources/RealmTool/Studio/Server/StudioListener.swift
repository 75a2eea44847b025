import LibC

/// The socket that the server of `realm studio` listens on.
struct StudioListener {
  static let loopback = "127.0.0.1"

  let socket: Int32
  /// The number of its port, which the system has chosen when 0 was asked for.
  let port: Int

  /// - Parameter address: A numeric address of this machine. An address that stands for all of them is refused.
  /// - Throws: `ToolError`.
  init(address: String = loopback, port: Int) throws {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address, String(port), &hints, &found) == 0, let found else {
      throw ToolError("'\(address)' is not an address in numbers, such as 192.168.1.20.")
    }
    defer { freeaddrinfo(found) }
    if Self.isAny(found.pointee) {
      throw ToolError(
        "'\(address)' stands for all networks of this machine: name the address of the one that may reach the file."
      )
    }
    let socket = LibC.socket(
      found.pointee.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0
    )
    var yes: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var place = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isListening =
      socket >= 0 && bind(socket, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0
      && listen(socket, 128) == 0
      && withUnsafeMutableBytes(of: &place) {
        getsockname(socket, $0.assumingMemoryBound(to: sockaddr.self).baseAddress!, &size) == 0
      }
    guard isListening else {
      let reason = String(cString: strerror(errno))
      if socket >= 0 { close(socket) }
      let advice =
        port == 0 ? "" : " Use another number with --port, or leave it out: the system chooses a free one."
      throw ToolError("Failed to listen on port \(port) of \(address): \(reason).\(advice)")
    }
    self.socket = socket
    // The port is at the same place in the addresses of both families, in network byte order.
    self.port = withUnsafeBytes(of: place) { Int($0[2]) << 8 | Int($0[3]) }
  }

  private static func isAny(_ found: addrinfo) -> Bool {
    let (offset, count) = found.ai_family == AF_INET6 ? (8, 16) : (4, 4)
    let bytes = Array(
      UnsafeRawBufferPointer(start: found.ai_addr, count: Int(found.ai_addrlen))[offset..<offset + count])
    // ::ffff:0.0.0.0 is one, too.
    let isMapped = count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 255 && bytes[11] == 255
    return (isMapped ? bytes[12...] : bytes[...]).allSatisfy { $0 == 0 }
  }
}
