/// What made a change to a synced file.
package enum ChangeOrigin: UInt8, Sendable {
  /// A program that wrote to the file: its changes wait to be sent to the server.
  case user = 0
  /// The sync session, which wrote what came from the server.
  case sync = 1
}
