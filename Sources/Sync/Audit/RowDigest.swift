import Storage

/// Hashes rows, as the server does it: `AuditQuery` and `ElementAuditQuery` have the same in SQL.
///
/// The values are hashed as they would be sent. A row with a date that the server has rounded has no hash, so that it is read again.
struct RowDigest {
  private let bytes = EncodedBytes(capacity: 4096)
  private let types: [ServerType]
  /// By the positions of the properties.
  private let presences: [[Int]]
  private let seed: UInt64

  init(_ syncClass: SyncClass, seed: UInt64) {
    types = [syncClass.key.type] + syncClass.properties.map(\.type)
    presences = syncClass.presences
    self.seed = seed
  }

  /// - Parameter types: The types of the columns, the first of which is a key.
  init(_ types: [ServerType], seed: UInt64) {
    self.types = types
    presences = .init(repeating: [], count: types.count)
    self.seed = seed
  }

  /// Returns the hash of a row; nil when the server cannot store a value of it, or rounds it.
  ///
  /// - Parameter value: Returns the value at a position: the key is at 0, the properties of an object follow in the order of the class.
  func hash(_ value: (Int) -> Value) -> UInt64? {
    bytes.truncate(to: 0)
    bytes.append(Int32(types.count))
    do {
      for (index, type) in types.enumerated() {
        bytes.append(type.objectIdentifier)
        let isAbsent = index > 0 && presences[index - 1].contains { value($0 + 1) != .bool(true) }
        let present = isAbsent ? .null : value(index)
        if case .date(let date) = present, try ServerDate.rounded(date).bitPattern != date.bitPattern {
          return nil
        }
        try BinaryFormat.append(present, as: type, to: bytes)
      }
    } catch {
      return nil
    }
    return bytes.withBytes { RowHash.hash($0, seed: seed) }
  }
}

extension SyncClass {
  /// For each property, the positions of the properties that say whether there are the embedded objects that it belongs to. What
  /// the server has of an embedded object that is not there is no value, and not compared.
  var presences: [[Int]] {
    let objects = properties.indices.filter { properties[$0].isPresence }
    return properties.map { property in
      objects.filter { property.path.starts(with: properties[$0].path + [properties[$0].column]) }
    }
  }
}
