/// A place in a program's code.
package struct CodeLocation: Sendable {
  /// The module and the file, as `#fileID`.
  package let file: StaticString
  package let line: UInt

  @inlinable
  package init(_ file: StaticString, _ line: UInt) {
    self.file = file
    self.line = line
  }
}
