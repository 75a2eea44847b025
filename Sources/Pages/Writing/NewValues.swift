import LibC

/// The values of a transaction that are above the limit for nodes: in memory, until some megabytes have gathered.
struct NewValues {
  private struct Value {
    /// Nil when it was written or given up.
    var memory: UnsafeMutableRawPointer?
    var size: Int
    var reference = Reference.none
  }

  /// Maximum number of bytes in memory.
  static let limit = 4 << 20
  let isSecret: Bool
  private var values: [Value] = []
  private var firstInMemory = 0
  private(set) var bytesInMemory = 0

  /// - Parameter isSecret: Whether memory is cleared before it is freed.
  init(isSecret: Bool) { self.isSecret = isSecret }

  private func free(_ memory: UnsafeMutableRawPointer, _ size: Int) {
    if isSecret { explicit_bzero(memory, size) }
    memory.deallocate()
  }

  /// Makes room for a value.
  mutating func make(_ size: Int) -> (number: Int, memory: UnsafeMutableRawPointer) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    values.append(Value(memory: memory, size: size))
    bytesInMemory += size
    return (values.count - 1, memory)
  }

  /// The value, or where it was written.
  func content(_ number: Int) -> (memory: UnsafeRawBufferPointer?, reference: Reference) {
    let value = values[number]
    return (
      value.memory.map { UnsafeRawBufferPointer(start: $0, count: value.size) }, value.reference
    )
  }

  /// Gives a value up. Returns where it was written, if it was.
  mutating func drop(_ number: Int) -> Reference? {
    if let memory = values[number].memory {
      free(memory, values[number].size)
      values[number].memory = nil
      bytesInMemory -= values[number].size
      return nil
    }
    let reference = values[number].reference
    values[number].reference = .none
    return reference.isNone ? nil : reference
  }

  /// Notes where a value was written.
  mutating func note(_ number: Int, written reference: Reference) {
    if let memory = values[number].memory { free(memory, values[number].size) }
    values[number].memory = nil
    values[number].reference = reference
    bytesInMemory -= values[number].size
  }

  /// Writes what is in memory.
  mutating func writeAll(
    _ write: (UnsafeRawBufferPointer) throws(PageError) -> Reference
  ) throws(PageError) {
    for number in firstInMemory..<values.count {
      guard let memory = values[number].memory else { continue }
      values[number].reference = try write(
        UnsafeRawBufferPointer(start: memory, count: values[number].size))
      free(memory, values[number].size)
      values[number].memory = nil
    }
    firstInMemory = values.count
    bytesInMemory = 0
  }

  /// Frees all.
  mutating func removeAll() {
    for value in values { if let memory = value.memory { free(memory, value.size) } }
    values.removeAll(keepingCapacity: values.count < 1024)
    (firstInMemory, bytesInMemory) = (0, 0)
  }
}
