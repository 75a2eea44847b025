import Storage

/// How far the lists of a file have been composed into operations on their elements.
struct ListProgress: Hashable {
  /// The version up to which the change log has been read; 0 if nothing has.
  var version: UInt64 = 0
  /// The number of elements that this client has made.
  var counter: Int64 = 0
  /// The names of the lists whose objects at some time have been taken in as a whole.
  var known: Set<String> = []
  /// Whether elements on the server may be insertions that wait here, because a copy of this file has sent them.
  var isSharing = false

  init() {}

  init?(_ bytes: [UInt8]) {
    var reader = StateReader(bytes)
    guard let version = reader.readInteger(), let counter = reader.readInteger(),
      let known = reader.readList({ $0.readText() })
    else { return nil }
    if !reader.isAtEnd {
      guard let client = reader.readInteger(), reader.isAtEnd else { return nil }
      isSharing = client != 0
    }
    self.version = UInt64(bitPattern: version)
    self.counter = counter
    self.known = Set(known)
  }

  var encoded: [UInt8] {
    var writer = StateWriter()
    writer.append(Int64(bitPattern: version))
    writer.append(counter)
    writer.append(known.sorted()) { $0.append($1) }
    if isSharing { writer.append(1) }
    return writer.bytes
  }
}

/// A list of a synchronised class as the realm file has it.
package struct LocalList: LocalElements, Sendable, Hashable {
  package var className: String
  package var name: String
  package var table: Int
  package var column: Int
  /// The type of the elements on the server: of links, that of the target's key.
  package var type: ServerType
  /// The classes whose objects its elements can link to: one for links, all that are synchronised for mixed values.
  package var targets: [LinkTarget] = []
  /// The table of the embedded objects that are its elements; nil for values and links.
  package var documents: Int?
}

extension LocalList {
  var isMixed: Bool { type == .jsonb }
  var isOfLinks: Bool { target != nil }
  var canLink: Bool { !targets.isEmpty }

  /// The class that links lead to.
  var target: LinkTarget? { isMixed ? nil : targets.first }

  /// The list as if it were a property with one of its values.
  var content: LocalProperty { LocalProperty(column: column, type: type, targets: targets) }

  /// Returns a value of the list, as the server has it, as a list keeps it.
  func kept(_ value: Value) -> ListValue { ListValue(value, isKey: isOfLinks) }

  /// Returns what the program sees of a mixed value of the server.
  func shown(_ value: ListValue, in snapshot: Snapshot) -> ListValue {
    guard let linking = value.linking else { return value }
    return kept(content.serverValue(content.resolve(linking, in: snapshot).value, in: snapshot))
  }

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
