import Storage

/// The elements of one collection of the file, hashed and put into groups as the server does it: see `ElementAuditQuery`.
struct ElementComparison {
  let seed = UInt64.random(in: 1 ... .max)
  /// The groups by their numbers.
  private(set) var groups: [AuditQuery.Group]
  /// Whether elements of a group cannot be compared by their hash, so that they are read.
  private(set) var isIncomparable: [Bool]
  private let keyDigest: RowDigest
  private let digest: RowDigest

  /// - Parameter elementCount: Number of elements of the file, on which the number of groups depends.
  init(_ collection: SyncCollection, keyType: ServerType, elementCount: Int) {
    let count = AuditQuery.groupCount(rows: elementCount)
    groups = .init(repeating: .init(), count: count)
    isIncomparable = .init(repeating: false, count: count)
    keyDigest = RowDigest([keyType], seed: seed)
    digest = RowDigest([keyType] + collection.comparedColumns.map(\.type), seed: seed)
  }

  /// Adds the elements of an object.
  ///
  /// - Parameter elements: The compared columns of each element; nil when the file cannot say what the server should have.
  mutating func add(owner: Value, _ elements: [[Value]]?) {
    // The server has no elements of an object whose key it cannot store.
    guard let ownerHash = keyDigest.hash({ _ in owner }) else { return }
    let group = Int(ownerHash & UInt64(groups.count - 1))
    guard let elements else {
      isIncomparable[group] = true
      return
    }
    for element in elements {
      if let hash = digest.hash({ $0 == 0 ? owner : element[$0 - 1] }) {
        groups[group].add(hash)
      } else {
        isIncomparable[group] = true
      }
    }
  }
}
