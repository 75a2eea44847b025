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
    /// Whether the program sees all of it: no target of a link in a mixed value is missing.
    package var isComplete = true
    /// The row of the embedded object that the program sees; nil for other elements, and while it is not known.
    package var object: Int?

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
    /// The version from which on the acknowledgement says that the server has an inserted element, when the element was moved or
    /// written afterwards; nil when it is `version`.
    package var insertionVersion: UInt64?

    package init(_ kind: Kind, position: Stamp? = nil, value: Stamp? = nil, version: UInt64) {
      self.kind = kind
      positionStamp = position
      valueStamp = value
      self.version = version
    }

    /// Returns what the server is told: an element that it has had is not inserted again, because it may be removed by now.
    package func kind(after acknowledged: UInt64) -> Kind {
      kind == .insertion && insertionVersion ?? version <= acknowledged ? .update : kind
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

  /// Gives insertions that are not acknowledged, and have numbers of a client, numbers of another one.
  mutating func renumberInsertions(
    of former: Int64, after acknowledged: UInt64, client: Int64, counter: inout Int64
  ) {
    for index in elements.indices where elements[index].number >> 40 == former {
      let number = elements[index].number
      guard let operation = operation(on: number, after: acknowledged),
        operation.kind(after: acknowledged) == .insertion
      else { continue }
      counter += 1
      elements[index].number = client << 40 | counter
      operations[number] = nil
      operations[elements[index].number] = operation
    }
  }

  /// Returns what was done to an element after a version.
  package func operation(on number: Int64, after version: UInt64) -> Operation? {
    operations[number].flatMap { $0.version > version ? $0 : nil }
  }
}

/// The value of an element, as far as it is needed when the program does not show it: short values, keys of link targets and mixed
/// values with links themselves, of others two hashes and the size.
package struct ListValue: Sendable, Hashable {
  package var bytes: [UInt8]

  private static let longest = 24
  /// Begins a mixed value with links. No type of values has this number.
  private static let linkingMark: UInt8 = 0xFE
  /// The seeds of the two hashes that stand for a long value, beside its size.
  private static let seeds: [UInt64] = [1, 2]

  /// - Parameter isKey: Whether the value is the key of a link's target, which is kept whole.
  package init(_ value: Value, isKey: Bool) {
    bytes = value.isNull ? [] : value.mixedBytes
    if value.hasLinkedObject {
      bytes.insert(Self.linkingMark, at: 0)
      return
    }
    if isKey || bytes.count <= Self.longest { return }
    let sums = bytes.withUnsafeBytes { bytes in Self.seeds.map { RowHash.hash(bytes, seed: $0) } }
    var short = [bytes[0], 0xFF]
    for word in sums + [UInt64(bytes.count)] {
      withUnsafeBytes(of: word.littleEndian) { short.append(contentsOf: $0) }
    }
    bytes = short
  }

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Whether the bytes are those of a value without links, and not hashes of it.
  var isShort: Bool { bytes.count <= Self.longest && bytes.first != Self.linkingMark }

  /// The mixed value with links in it; nil for other values.
  var linking: Value? {
    guard bytes.first == Self.linkingMark else { return nil }
    return bytes.withUnsafeBytes { Value(mixed: UnsafeRawBufferPointer(rebasing: $0.dropFirst())) }
  }

  /// The key of a link's target.
  package var key: Value { bytes.isEmpty ? .null : bytes.withUnsafeBytes { Value(mixed: $0) } }
}

// MARK: Coding

extension SyncedList {
  /// The kind of an insertion that has a version of its own.
  private static let changedInsertion: UInt8 = 3
  /// In the place of the visibility of an element whose embedded object follows.
  private static let visibleObject: UInt8 = 3

  /// Reads what `encodedElements` and `encodedOperations` wrote; nil for anything else.
  package init?(elements: [UInt8], operations: [UInt8]?) {
    var reader = StateReader(elements)
    guard
      let read = reader.readList({ reader -> Element? in
        guard let number = reader.readInteger(), let key = reader.readShort(),
          let value = reader.readShort(),
          let isVisible = reader.readByte()
        else { return nil }
        var element = Element(
          number: number, key: PositionKey(bytes: key), value: ListValue(bytes: value),
          isVisible: isVisible != 0)
        element.isComplete = isVisible != 2
        if isVisible == Self.visibleObject {
          guard let row = reader.readInteger() else { return nil }
          element.object = Int(row)
        }
        return element
      }), reader.isAtEnd
    else { return nil }
    self.elements = read
    guard let operations else { return }
    reader = StateReader(operations)
    guard
      let pairs = reader.readList({ reader -> (Int64, Operation)? in
        guard let number = reader.readInteger(), let byte = reader.readByte(),
          let kind = byte == Self.changedInsertion ? .insertion : Operation.Kind(rawValue: byte),
          let position = reader.readInteger(), let value = reader.readInteger(),
          let version = reader.readInteger()
        else { return nil }
        var operation = Operation(
          kind, position: position < 0 ? nil : Stamp(rawValue: position),
          value: value < 0 ? nil : Stamp(rawValue: value), version: UInt64(bitPattern: version))
        if byte == Self.changedInsertion {
          guard let inserted = reader.readInteger() else { return nil }
          operation.insertionVersion = UInt64(bitPattern: inserted)
        }
        return (number, operation)
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
      if $1.isVisible, let row = $1.object {
        $0.append(byte: Self.visibleObject)
        $0.append(Int64(row))
      } else {
        $0.append(byte: $1.isVisible ? $1.isComplete ? 1 : 2 : 0)
      }
    }
    return writer.bytes
  }

  package var encodedOperations: [UInt8] {
    var writer = StateWriter()
    writer.append(operations.sorted { $0.key < $1.key }) {
      let inserted = $1.value.insertionVersion
      $0.append($1.key)
      $0.append(byte: inserted == nil ? $1.value.kind.rawValue : Self.changedInsertion)
      $0.append($1.value.positionStamp?.rawValue ?? -1)
      $0.append($1.value.valueStamp?.rawValue ?? -1)
      $0.append(Int64(bitPattern: $1.value.version))
      if let inserted { $0.append(Int64(bitPattern: inserted)) }
    }
    return writer.bytes
  }
}
