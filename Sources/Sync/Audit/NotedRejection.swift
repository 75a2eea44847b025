package import Storage

/// An object that the server has refused, as the file remembers it for `realm sync rejected`.
package struct NotedRejection: Sendable {
  /// By the server's clock, in milliseconds since 1970.
  package var time: Int64
  package var object: RejectedObject

  /// Number of rejections that a file remembers: the last ones.
  package static let limit = 1000

  /// Number of elements of one collection that it remembers: the first ones.
  private static let elementLimit = 1000

  private static let format: Int64 = 2
  /// The first format, which has no elements.
  private static let firstFormat: Int64 = 1

  package init(time: Int64, _ object: RejectedObject) {
    self.time = time
    self.object = object
  }

  /// Reads what `encoded` wrote; nil for bytes of a later version.
  package init?(_ bytes: [UInt8]) {
    var reader = StateReader(bytes)
    guard let format = reader.readInteger(), (Self.firstFormat...Self.format).contains(format),
      let time = reader.readInteger(), let name = reader.readName(),
      let reason = reader.readText(),
      let values = reader.readList({ reader -> (String, Value)? in
        reader.readText().flatMap { name in Self.readValue(&reader).map { (name, $0) } }
      }),
      let elements = format == Self.firstFormat ? [] : reader.readList({ Self.readElements(&$0) })
    else { return nil }
    self.time = time
    object = RejectedObject(
      className: name.className, key: name.key.value, reason: Outcome.Reason(reason),
      values: Dictionary(values) { $1 }, elements: Dictionary(elements) { $1 })
  }

  private static func readValue(_ reader: inout StateReader) -> Value? {
    reader.readBytes().map { bytes in bytes.withUnsafeBytes { Value(mixed: $0) } }
  }

  private static func readElements(_ reader: inout StateReader) -> (String, RejectedElements)? {
    guard let name = reader.readText(), let isMap = reader.readByte(),
      let values = reader.readList({ readValue(&$0) }), let keys = reader.readList({ $0.readText() })
    else { return nil }
    return (
      name, RejectedElements(values: values.map { ExactValue($0) }, keys: isMap != 0 ? keys : nil)
    )
  }

  /// The bytes that are stored.
  package var encoded: [UInt8] {
    var writer = StateWriter()
    writer.append(Self.format)
    writer.append(time)
    writer.append(SessionState.ObjectName(object.className, object.key))
    writer.append(object.reason.text)
    writer.append(object.values.sorted { $0.key < $1.key }) {
      $0.append($1.key)
      Self.append($1.value, to: &$0)
    }
    writer.append(object.elements.sorted { $0.key < $1.key }) {
      $0.append($1.key)
      $0.append(byte: $1.value.keys == nil ? 0 : 1)
      $0.append(Array($1.value.values.prefix(Self.elementLimit))) { Self.append($1.value, to: &$0) }
      $0.append(Array(($1.value.keys ?? []).prefix(Self.elementLimit))) { $0.append($1) }
    }
    return writer.bytes
  }

  private static func append(_ value: Value, to writer: inout StateWriter) {
    writer.append(value.isNull ? [nullTag] : value.mixedBytes)
  }

  /// The mixed value without content.
  private static let nullTag: UInt8 = 255

  /// Returns the rejections that a file remembers, the oldest first.
  package static func read(_ snapshot: Snapshot) throws(StorageError) -> [NotedRejection] {
    try snapshot.session(of: .rejections).compactMap { NotedRejection($0.bytes) }
  }

  /// Notes rejections with a transaction. The oldest ones are forgotten when there are too many.
  static func note(
    _ objects: [RejectedObject], time: Int64, _ snapshot: Snapshot, _ transaction: WriteTransaction
  ) throws(StorageError) {
    let known = try snapshot.sessionKeys(of: .rejections)
    let kept = objects.suffix(limit)
    for key in known.prefix(max(known.count + kept.count - limit, 0)) { transaction.setSession(key, nil) }
    for (index, object) in kept.enumerated() {
      let key = SessionKey(.rejections, row: (known.last?.row ?? 0) + 1 + index)
      transaction.setSession(key, NotedRejection(time: time, object).encoded)
    }
  }
}

extension SessionKey.Kind {
  /// Rejected objects, by ascending numbers.
  static let rejections = SessionKey.Kind(rawValue: 23)
}

extension Outcome.Reason {
  /// The text that the server notes.
  var text: String {
    switch self {
    case .lost: "lost"
    case .gone: "gone"
    case .denied: "denied"
    case .rejected(let state, let message): "rejected \(state) \(message)"
    }
  }
}
