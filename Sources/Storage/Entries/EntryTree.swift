/// One of the trees of a file: a map from keys to values of its own.
///
/// A file of pages has one tree only: its keys begin with the number of the tree that they belong to.
struct EntryTree: Hashable, Sendable {
  let number: UInt8

  /// The main tree, in which is what is one of a kind.
  static let main = EntryTree(number: 1)

  /// The trees that have names. They are there as soon as the file is.
  init?(named name: String) {
    guard let index = ["columns", "collections", "indexes", "values"].firstIndex(of: name) else { return nil }
    number = Self.main.number + 1 + UInt8(index)
  }

  private init(number: UInt8) { self.number = number }

  /// Calls the body with a key as the file has it.
  @inline(__always)
  func withKey<Result, Failure: Error>(
    _ key: UnsafeRawPointer, _ keySize: Int,
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result = withUnsafeTemporaryAllocation(byteCount: keySize + 1, alignment: 1) {
      buffer -> Swift.Result<Result, Failure> in
      let start = buffer.baseAddress.unsafelyUnwrapped
      start.storeBytes(of: number, as: UInt8.self)
      (start + 1).copyMemory(from: key, byteCount: keySize)
      do throws(Failure) {
        return .success(try body(UnsafeRawBufferPointer(start: start, count: keySize + 1)))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
