/// A place in a program's code.
public struct CodeLocation: Sendable {
  /// The module and the file, as `#fileID`.
  public let file: StaticString
  public let line: UInt

  @inlinable
  public init(_ file: StaticString, _ line: UInt) {
    self.file = file
    self.line = line
  }
}
