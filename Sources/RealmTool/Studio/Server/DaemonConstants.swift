import CMicrohttpd
import LibC

// Swift does not see the names of these constants, as the header defines macros of the same names.
extension MHD_Result {
  static let yes = MHD_Result(rawValue: 1)!
  /// Closes the connection, where a callback returns it.
  static let no = MHD_Result(rawValue: 0)!
}

extension MHD_ValueKind {
  static let header = MHD_ValueKind(rawValue: 1)!
}

extension MHD_ResponseMemoryMode {
  /// The daemon copies the bytes before the call returns.
  static let copied = MHD_ResponseMemoryMode(rawValue: 2)!
}

extension MHD_ConnectionNotificationCode {
  static let started = MHD_ConnectionNotificationCode(rawValue: 0)!
}

/// The bit of `poll` for a peer that sends no more: `POLLRDHUP`.
let pollPeerClosed: Int16 = 0x2000
