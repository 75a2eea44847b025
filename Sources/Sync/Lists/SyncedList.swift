package import Storage

/// A list as the server has it and the file has changed it, element by element: what the realm file keeps hidden beside the
/// values that the program sees.
package struct SyncedList: Sendable, Hashable {
  /// An element of the list.
  package struct Element: Sendable, Hashable {
    /// The number of the element: the client that made it << 40 | a counter.
    package var number: Int64
    package var key: PositionKey
    /// The value as `ListValue` keeps it.
    package var value: ListValue
    /// Whether the program sees it: the target of the link is there.
    package var isVisible = true

    package init(number: Int64, key: PositionKey, value: ListValue, isVisible: Bool = true) {
      self.number = number
      self.key = key
      self.value = value
      self.isVisible = isVisible
    }

    package var place: ListPlace { ListPlace(key, number) }
  }

  /// What the file has done to an element, and the server does not know yet, or may have to be told again after a restore.
  package struct Operation: Sendable, Hashable {
    package enum Kind: UInt8, Sendable {
      case insertion = 0
      case update = 1
      case removal = 2
    }

    package var kind: Kind
    /// The stamp of the position, or of the removal; nil when the position was not changed.
    package var positionStamp: Stamp?
    /// The stamp of the value; nil when it was not changed.
    package var valueStamp: Stamp?
    /// The version of the file from which on the server's acknowledgement says that it has the operation.
    package var version: UInt64

    package init(_ kind: Kind, position: Stamp? = nil, value: Stamp? = nil, version: UInt64) {
      self.kind = kind
      positionStamp = position
      valueStamp = value
      self.version = version
    }
  }

  /// In their order.
  package var elements: [Element] = []
  /// By the numbers of the elements.
  package var operations: [Int64: Operation] = [:]

  package init() {}

  package var isEmpty: Bool { elements.isEmpty && operations.isEmpty }

  /// Whether anything was done after a version.
  package func hasOperations(after version: UInt64) -> Bool {
    operations.values.contains { $0.version > version }
  }

  /// Returns what was done to an element after a version.
  package func operation(on number: Int64, after version: UInt64) -> Operation? {
    operations[number].flatMap { $0.version > version ? $0 : nil }
  }
}

/// The value of an element, as far as it is needed when the program does not show it: short values and keys of link targets
/// themselves, of others two hashes and the size.
package struct ListValue: Sendable, Hashable {
  package var bytes: [UInt8]

  private static let longest = 24
  /// The seeds of the two hashes that stand for a long value, beside its size.
  private static let seeds: [UInt64] = [1, 2]

  /// - Parameter isKey: Whether the value is the key of a link's target, which is kept whole.
  package init(_ value: Value, isKey: Bool) {
    bytes = value.isNull ? [] : value.mixedBytes
    if isKey || bytes.count <= Self.longest { return }
    let sums = bytes.withUnsafeBytes { bytes in Self.seeds.map { RowHash.hash(bytes, seed: $0) } }
    var short = [bytes[0], 0xFF]
    for word in sums + [UInt64(bytes.count)] {
      withUnsafeBytes(of: word.littleEndian) { short.append(contentsOf: $0) }
    }
    bytes = short
  }

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The key of a link's target.
  package var key: Value { bytes.isEmpty ? .null : bytes.withUnsafeBytes { Value(mixed: $0) } }
}

// MARK: Coding

extension SyncedList {
  /// Reads what `encodedElements` and `encodedOperations` wrote; nil for anything else.
  package init?(elements: [UInt8], operations: [UInt8]?) {
    var reader = StateReader(elements)
    guard
      let read = reader.readList({ reader -> Element? in
        guard let number = reader.readInteger(), let key = reader.readShort(),
          let value = reader.readShort(),
          let isVisible = reader.readByte()
        else { return nil }
        return Element(
          number: number, key: PositionKey(bytes: key), value: ListValue(bytes: value),
          isVisible: isVisible != 0)
      }), reader.isAtEnd
    else { return nil }
    self.elements = read
    guard let operations else { return }
    reader = StateReader(operations)
    guard
      let pairs = reader.readList({ reader -> (Int64, Operation)? in
        guard let number = reader.readInteger(), let kind = reader.readByte().flatMap(Operation.Kind.init),
          let position = reader.readInteger(), let value = reader.readInteger(),
          let version = reader.readInteger()
        else { return nil }
        return (
          number,
          Operation(
            kind, position: position < 0 ? nil : Stamp(rawValue: position),
            value: value < 0 ? nil : Stamp(rawValue: value), version: UInt64(bitPattern: version))
        )
      }), reader.isAtEnd
    else { return nil }
    self.operations = Dictionary(pairs) { $1 }
  }

  package var encodedElements: [UInt8] {
    var writer = StateWriter()
    writer.append(elements) {
      $0.append($1.number)
      $0.append(short: $1.key.bytes)
      $0.append(short: $1.value.bytes)
      $0.append(byte: $1.isVisible ? 1 : 0)
    }
    return writer.bytes
  }

  package var encodedOperations: [UInt8] {
    var writer = StateWriter()
    writer.append(operations.sorted { $0.key < $1.key }) {
      $0.append($1.key)
      $0.append(byte: $1.value.kind.rawValue)
      $0.append($1.value.positionStamp?.rawValue ?? -1)
      $0.append($1.value.valueStamp?.rawValue ?? -1)
      $0.append(Int64(bitPattern: $1.value.version))
    }
    return writer.bytes
  }
}
