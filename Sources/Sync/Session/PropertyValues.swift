package import Storage

/// A synchronised property as the realm file has it.
package struct LocalProperty: Sendable, Hashable {
  package var column: Int
  /// The type of its values on the server.
  package var type: ServerType
  /// The classes whose objects it can link to: one for a link, all that are synchronised for a mixed value.
  package var targets: [LinkTarget]
  /// The place in an embedded object; nil for a column of the class.
  package var embedded: EmbeddedPlace?
  /// Whether differences are sent, which the server adds.
  package var isCounter: Bool

  package init(
    column: Int, type: ServerType, targets: [LinkTarget] = [], isCounter: Bool = false
  ) {
    self.column = column
    self.type = type
    self.targets = targets
    self.isCounter = isCounter
  }

  /// The number under which writes of the property are pending.
  package var slot: Int { embedded?.slot ?? column }
  /// Whether its values can lead to other objects.
  var canLink: Bool { !targets.isEmpty }
}

/// A class that links lead to.
package struct LinkTarget: Sendable, Hashable {
  package var name: String
  /// The number of its table.
  package var table: Int
  package var keyColumn: Int
  package var keyType: ServerType

  package init(_ syncClass: SyncClass) {
    name = syncClass.name
    table = syncClass.table
    keyColumn = syncClass.key.column
    keyType = syncClass.key.type
  }

  /// Returns the row with a key.
  func row(_ key: Value, in snapshot: Snapshot) -> Int? {
    snapshot.firstRow(table: table, column: keyColumn, equalTo: IndexKey(key))
  }

  /// Returns a key that was read without its type; nil when it is not one of the class.
  func typedKey(_ key: Value) -> Value? {
    switch (key, keyType) {
    case (.int, .bigint), (.string, .text), (.objectId, .objectId), (.uuid, .uuid): key
    case (.string(let text), .objectId), (.string(let text), .uuid): KeyText.key(text, keyType)
    default: nil
    }
  }
}

// Values of properties, as they are sent and received. A link is the key of its target.
extension LocalClass {
  /// Returns the value of a property of a row, as the server has it.
  ///
  /// - Parameter unresolved: The links that lead to objects that are not here; nil to read the one of the row from the file.
  package func value(
    of property: LocalProperty, row: Int, in snapshot: Snapshot, _ unresolved: UnresolvedLinks? = nil
  ) -> Value {
    if let place = property.embedded {
      return embeddedValue(of: property, place, row: row, in: snapshot)
    }
    let value = snapshot.table(table).value(property.column, row)
    if !property.canLink { return value }
    let isMixed = property.type == .jsonb
    if value.isNull || isMixed {
      let place = UnresolvedLinks.Place(table: table, column: property.column, row: row)
      if let unresolved {
        if let value = unresolved[place] { return value }
      } else if let value = UnresolvedLinks.stored(place, property, in: snapshot) {
        return value
      }
    }
    return property.serverValue(value, in: snapshot)
  }

  /// Writes a value that the server has to a property of a row, in the write transaction that is open. Does nothing but write
  /// the present value again when the server's value cannot be read.
  func setValue(
    _ value: Value, of property: LocalProperty, row: Int, in snapshot: Snapshot, _ unresolved: UnresolvedLinks
  ) {
    if let place = property.embedded {
      return setEmbeddedValue(value, of: property, place, row: row, in: snapshot, unresolved)
    }
    let table = snapshot.table(table)
    if !property.canLink { return table.setValue(property.column, row, value) }
    guard let value = property.typed(value) else {
      return table.setValue(property.column, row, table.value(property.column, row))
    }
    let (resolved, missing) = property.resolve(value, in: snapshot)
    table.setValue(property.column, row, resolved)
    let place = UnresolvedLinks.Place(table: self.table, column: property.column, row: row)
    if missing.isEmpty {
      unresolved.remove(place, in: snapshot)
    } else {
      unresolved.set(place, value, waitingFor: missing.compactMap { $0 }, in: snapshot)
    }
  }

  /// Whether a property of a row has a value that the server has. A value that cannot be read changes nothing.
  func hasValue(
    _ value: Value, of property: LocalProperty, row: Int, in snapshot: Snapshot,
    _ unresolved: UnresolvedLinks? = nil
  ) -> Bool {
    let present = self.value(of: property, row: row, in: snapshot, unresolved)
    if property.embedded?.isDocument == true {
      return typedDocument(value, property, in: snapshot).map { present.isExactly($0) } ?? true
    }
    if property.type != .jsonb || value.isNull { return present.isExactly(value) }
    guard let typed = property.typed(value) else { return true }
    return present.isExactly(typed)
  }
}

extension LocalProperty {
  /// Returns the value that the file has of one that the server has.
  ///
  /// - Parameter value: A value with keys of their classes' types.
  /// - Returns: The value, with null in the place of each link whose target is missing, and these targets; nil for one of a class
  ///   that is not synchronised.
  func resolve(_ value: Value, in snapshot: Snapshot) -> (value: Value, missing: [UnresolvedLinks.Target?]) {
    var missing: [UnresolvedLinks.Target?] = []
    func link(_ target: LinkTarget, _ key: Value) -> Value {
      if let row = target.row(key, in: snapshot) { return .link(table: target.table, row: row) }
      missing.append(.init(table: target.table, key: IndexKey(key)))
      return .null
    }
    if value.isNull || !canLink { return (value, []) }
    if type != .jsonb { return (link(targets[0], value), missing) }
    let resolved = value.replacing { part in
      guard let linked = part.linkedObject else { return nil }
      guard let target = targets.first(where: { $0.name == linked.className }) else {
        missing.append(nil)
        return .null
      }
      return link(target, linked.key)
    }
    return (resolved, missing)
  }

  /// Why a value of the server cannot be read; nil when it can.
  func unreadableReason(_ value: Value) -> String? {
    guard canLink, type == .jsonb, typed(value) == nil else { return nil }
    return value.unreadableReason ?? "a link has a key of another type than its class"
  }

  /// Returns a value of the server with the keys in it as their classes have them, or what stands in the place of one that cannot
  /// be read.
  func readable(_ value: Value) -> Value {
    if let reason = unreadableReason(value) { return .unreadable(reason) }
    return typed(value) ?? value
  }

  /// Returns a value of the server with the keys in it as their classes have them; nil for one that cannot be read.
  func typed(_ value: Value) -> Value? {
    if type != .jsonb { return value }
    if value.unreadableReason != nil { return nil }
    guard value.isCollection else { return value }
    var isReadable = true
    let typed = value.replacing { part in
      guard let linked = part.linkedObject,
        let target = targets.first(where: { $0.name == linked.className })
      else { return part.linkedObject == nil ? nil : part }
      guard let key = target.typedKey(linked.key) else {
        isReadable = false
        return .null
      }
      return .link(toClass: linked.className, key: key)
    }
    return isReadable ? typed : nil
  }

  /// Returns a value of the file as the server has it, with keys in the place of rows.
  func serverValue(_ value: Value, in snapshot: Snapshot) -> Value {
    if !canLink { return value }
    if type == .jsonb { return keyed(value, in: snapshot) }
    guard case .link(let target, let row) = value else { return value }
    return snapshot.table(target).value(targets[0].keyColumn, row)
  }

  /// Returns a mixed value of the file with keys in the place of rows.
  private func keyed(_ value: Value, in snapshot: Snapshot) -> Value {
    value.replacing { part in
      switch part {
      case .link(let table, let row):
        guard let target = targets.first(where: { $0.table == table }) else { return nil }
        return .link(toClass: target.name, key: snapshot.table(table).value(target.keyColumn, row))
      case .dictionary(let entries):
        // The marks of other things, which the server would refuse like any such key.
        return entries.contains { $0.key.utf8.contains(0) } ? .string("\0") : nil
      default: return nil
      }
    }
  }
}
