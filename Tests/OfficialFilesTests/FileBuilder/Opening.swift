@testable import OfficialFiles

/// What becomes of opening a file.
enum Opening {
  /// Why it fails; nil when it does not.
  static func reason(_ body: () throws -> OfficialFile) -> OfficialFileError.Reason? {
    do {
      _ = try body()
      return nil
    } catch { return (error as? OfficialFileError)?.reason }
  }
}
