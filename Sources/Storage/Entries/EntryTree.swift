/// One of the trees of a file: a map from keys to values of its own.
///
/// A file of pages has one tree only: its keys begin with the number of the tree that they belong to.
enum EntryTree: UInt8, CaseIterable {
  /// Format, catalogue, row counts and what each version changed.
  case main = 1
  /// (table, column, chunk) → chunk.
  case columns
  /// (table, column, row, family, segment) → chunk.
  case collections
  /// (index, first key, first row) → block.
  case indexes
  /// (table, column, row) → long value.
  case values

  /// What the keys of its entries begin with in the file.
  @inline(__always) var number: UInt8 { rawValue }

  /// As messages and earlier formats name it.
  var name: String {
    switch self {
    case .main: "main"
    case .columns: "columns"
    case .collections: "collections"
    case .indexes: "indexes"
    case .values: "values"
    }
  }

  init?(named name: String) {
    guard let tree = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = tree
  }

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
