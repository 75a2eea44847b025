import Storage

/// How far the lists of a file have been composed into operations on their elements.
struct ListProgress: Hashable {
  /// The version up to which the change log has been read; 0 if nothing has.
  var version: UInt64 = 0
  /// The number of elements that this client has made.
  var counter: Int64 = 0
  /// The names of the lists whose objects at some time have been taken in as a whole.
  var known: Set<String> = []

  init() {}

  init?(_ bytes: [UInt8]) {
    var reader = StateReader(bytes)
    guard let version = reader.readInteger(), let counter = reader.readInteger(),
      let known = reader.readList({ $0.readText() }), reader.isAtEnd
    else { return nil }
    self.version = UInt64(bitPattern: version)
    self.counter = counter
    self.known = Set(known)
  }

  var encoded: [UInt8] {
    var writer = StateWriter()
    writer.append(Int64(bitPattern: version))
    writer.append(counter)
    writer.append(known.sorted()) { $0.append($1) }
    return writer.bytes
  }
}

/// A list of a synchronised class as the realm file has it.
package struct LocalList: Sendable, Hashable {
  package var className: String
  package var name: String
  package var table: Int
  package var column: Int
  /// The type of the elements on the server: of links, that of the target's key.
  package var type: ServerType
  /// The class that links lead to.
  package var target: LinkTarget?
}

extension LocalList {
  var isOfLinks: Bool { target != nil }

  /// The name under which it is noted as known.
  var fullName: String { className + "." + name }
}

extension SessionKey.Kind {
  /// The elements of a list.
  static let listElements = SessionKey.Kind(rawValue: 20)
  /// The operations on the elements of a list; of the last table that there can be, a ``ListProgress``.
  static let listOperations = SessionKey.Kind(rawValue: 21)
}

extension SessionKey {
  static let listProgress = SessionKey(.listOperations, table: Int(UInt32.max))

  init(_ kind: Kind, _ list: CollectionKey) {
    self.init(kind, table: list.table, column: list.column, row: list.row)
  }

  var collection: CollectionKey { CollectionKey(table: table, column: column, row: row) }
}
