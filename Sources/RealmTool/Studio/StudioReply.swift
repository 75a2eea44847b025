/// The answer of a route.
enum StudioReply: Sendable {
  /// A whole document in JSON.
  case json([UInt8])
  /// Bytes of a media type; with the name of a file, the browser stores them as a download.
  case bytes([UInt8], type: String, fileName: String? = nil)
  /// A document of unknown length. The producer is called on a thread of the server, one call after the other, until it
  /// returns nil; what it holds is released when the client goes away.
  case stream(type: String, fileName: String?, producer: @Sendable () throws -> [UInt8]?)
  /// A stream of events, open until the client goes away.
  case events(StudioEvents)
}
