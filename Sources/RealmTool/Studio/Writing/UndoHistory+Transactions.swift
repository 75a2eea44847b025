import RealmSwift
import Storage

extension UndoHistory {
  /// Performs a batch in one transaction. Returns the answer.
  func write(
    _ operations: [Operation], _ label: String, _ realm: NumberedRealm, _ lock: WriteRequest
  ) throws -> [UInt8] {
    let (created, step) = try realm.transaction(lock) {
      var writer = BatchWriter(realm, undoLimit: sizeLimit)
      try writer.perform(operations)
      if !writer.conflicts.isEmpty { throw StudioFault(conflicts: writer.conflicts) }
      return (writer.created, writer.recorder.step(label))
    }
    add(step)
    return try answer(created, realm)
  }

  /// Pastes a text in one transaction. Returns the answer.
  func paste(
    _ request: PasteRequest, _ text: PastedText, _ file: StudioFile, _ lock: WriteRequest
  ) throws -> [UInt8] {
    let realm = file.numbered
    let target = try PasteTarget(request, text, file)
    let (created, step) = try realm.transaction(lock) {
      let paste = try Paste(request, text, target, in: realm.realm.storedVersion)
      if let target = request.target, target != paste.target {
        throw StudioFault(409, "A value has changed since the preview. Nothing was written.")
      }
      var writer = BatchWriter(realm, undoLimit: sizeLimit)
      try paste.write(&writer)
      return (
        writer.created, writer.recorder.step("Paste \(Numbers.count(paste.text.rows.count, "row"))")
      )
    }
    add(step)
    return try answer(created, realm)
  }

  /// The answer to a transaction.
  func answer(_ created: [NumberedObject], _ realm: NumberedRealm) throws -> [UInt8] {
    var bytes = Array(
      "{\"version\":\(try realm.versionNumber()),\"undo\":\(undoCount),\"redo\":\(redoCount)".utf8)
    bytes.append(",\"created\":")
    let tables = realm.realm.storedVersion.catalogue.tables
    bytes.appendArray(created) { object, bytes in
      bytes.append("[")
      bytes.appendJSON(tables[object.classNumber].name)
      bytes.append(",\(object.row)]")
    }
    bytes.append("}")
    return bytes
  }

  /// Undoes the last step, or does again the one that was undone last. Returns the answer.
  func reverse(_ direction: Direction, _ realm: NumberedRealm, _ lock: WriteRequest) throws -> [UInt8] {
    guard let step = next(direction) else {
      throw StudioFault(
        409, direction == .undo ? "There is nothing to undo." : "There is nothing to do again.")
    }
    let (inverse, reversal): (UndoStep?, StepReversal)
    do {
      (inverse, reversal) = try realm.transaction(lock) {
        var running = self.reversal(of: step, in: realm.realm.storedVersion)
        do {
          let inverse = try running.run()
          return (inverse, running)
        } catch let conflict as StepReversal.Conflict {
          throw StudioFault(conflict, realm.realm.storedVersion)
        }
      }
    } catch let fault as StudioFault where fault.status == 422 {
      // A rule, such as a unique property whose value another object has got.
      throw StudioFault(409, fault.message)
    }
    complete(direction, inverse, reversal.aliases)
    var bytes = Array("{\"label\":".utf8)
    bytes.appendJSON(step.label)
    bytes.append(",")
    return bytes + (try answer(reversal.restored, realm)).dropFirst()
  }
}

extension StudioFault {
  fileprivate init(conflicts: [BatchWriter.Conflict]) {
    var details = Array("\"conflicts\":".utf8)
    details.appendArray(conflicts) { conflict, details in
      details.append("{\"operation\":\(conflict.operation),\"current\":")
      details += conflict.current
      details.append(",\"expected\":")
      details.append(json: conflict.expected ?? .null)
      details.append(conflict.isGone ? ",\"gone\":true}" : "}")
    }
    let message =
      conflicts.contains { $0.isGone }
      ? "An object has been deleted since the page showed it. Nothing was written."
      : "A value has changed since the page showed it. Nothing was written."
    self.init(409, message, details: String(decoding: details, as: UTF8.self))
  }

  /// A step that cannot be undone. Property, present and expected cell are given where one is the reason.
  fileprivate init(_ conflict: StepReversal.Conflict, _ snapshot: Snapshot) {
    var details: [UInt8] = []
    if let place = conflict.place, let expected = conflict.expected {
      var cells = CellWriter(snapshot)
      let column = snapshot.column(place)
      details.append("\"conflicts\":[{\"class\":")
      details.appendJSON(snapshot.catalogue.tables[place.object.classNumber].name)
      details.append(",\"row\":\(place.object.row),\"property\":\(place.column),\"current\":")
      details += cells.cell(place)
      details.append(",\"expected\":")
      details +=
        column.collection == .none
        ? cells.cell(expected.values[0], column) : Array("{\"count\":\(expected.values.count)}".utf8)
      details.append("}]")
    }
    self.init(409, conflict.message, details: String(decoding: details, as: UTF8.self))
  }
}
