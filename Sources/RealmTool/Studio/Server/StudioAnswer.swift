/// An answer as it goes to the client: with its status and all of its headers.
struct StudioAnswer: Sendable {
  enum Content: Sendable {
    case bytes([UInt8])
    /// Is called, one call after the other and not on the daemon's thread, until it returns nil.
    case stream(@Sendable () throws -> [UInt8]?)
    case events(StudioEvents)
  }

  let status: Int
  let headers: [(name: String, value: String)]
  let content: Content

  /// The headers that every answer has.
  static let commonHeaders: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; "
        + "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
  ]

  /// - Parameter caching: `no-store` unless the content has no data of the file.
  init(
    _ status: Int, _ content: Content, type: String?, caching: String = "no-store",
    further: [(name: String, value: String)] = []
  ) {
    self.status = status
    self.content = content
    headers =
      Self.commonHeaders + [("Cache-Control", caching)] + (type.map { [("Content-Type", $0)] } ?? [])
      + further
  }

  init(_ fault: StudioFault, further: [(name: String, value: String)] = []) {
    var bytes = Array("{\"message\":".utf8)
    bytes.appendJSON(fault.message)
    if !fault.details.isEmpty { bytes.append(",\(fault.details)") }
    bytes.append("}")
    self.init(fault.status, .bytes(bytes), type: "application/json", further: further)
  }

  init(_ reply: StudioReply) {
    switch reply {
    case .json(let bytes): self.init(200, .bytes(bytes), type: "application/json")
    case .bytes(let bytes, let type, let fileName):
      self.init(200, .bytes(bytes), type: type, further: Self.attachment(fileName))
    case .stream(let type, let fileName, let producer):
      self.init(200, .stream(producer), type: type, further: Self.attachment(fileName))
    case .events(let events): self.init(200, .events(events), type: "text/event-stream")
    }
  }

  /// Returns the header that makes a browser store the answer; the name is any text.
  private static func attachment(_ fileName: String?) -> [(name: String, value: String)] {
    guard let fileName else { return [] }
    let plain = fileName.utf8.allSatisfy(isPlain)
    let simple = plain ? fileName : "download"
    // RFC 8187; all bytes but those that have no meaning anywhere are escaped.
    let encoded = fileName.utf8.map { byte in
      isPlain(byte) ? String(UnicodeScalar(byte)) : "%" + Hexadecimal.text([byte]).uppercased()
    }
    let extended = plain ? "" : "; filename*=UTF-8''\(encoded.joined())"
    return [("Content-Disposition", "attachment; filename=\"\(simple)\"\(extended)")]
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
