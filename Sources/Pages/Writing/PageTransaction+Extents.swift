// Giving what a transaction has changed, and what it moves, places in the file.
extension PageTransaction {
  func writeValues() throws(PageError) {
    try values.writeAll { (bytes) throws(PageError) in try write(bytes, [.isValue]) }
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, _ flags: Reference.Flags
  ) throws(PageError) -> Reference {
    var reference = Reference()
    (reference.length, reference.flags, reference.version) = (UInt32(bytes.count), flags, version)
    if values.isSecret { reference.flags.insert(.isEncrypted) }
    let unit = try space.take(reference.unitCount)
    reference.unit = UInt64(unit)
    reference.sum = try writer._withUnsafeGuaranteedRef { writer in
      Result { () throws(PageError) in try writer.append(extent: bytes, unit: unit) }
    }.get()
    map._withUnsafeGuaranteedRef { $0.noteWritten(reference) }
    return reference
  }

  /// Writes a node and what is below it, the children first. Returns the reference to it.
  func written(_ reference: Reference) throws(PageError) -> Reference {
    if !reference.isUnwritten { return reference }
    if reference.isValue {
      let content = values.content(Int(reference.unit))
      guard let memory = content.memory else { return content.reference }
      let result = try write(memory, [.isValue])
      values.note(Int(reference.unit), written: result)
      return result
    }
    let number = Int(reference.unit)
    let node = nodes[number]
    let movesExtents = space.movesExtents
    var flags: Reference.Flags = [.hasNoExtents]
    for index in 0..<node.count where node.hasReference(index) {
      flags = []
      let place = node.content(index)
      if Reference.flags(at: place).contains(.isUnwritten) {
        try written(Reference(at: place)).store(at: place)
      } else if movesExtents, let moved = try moved(Reference(at: place)) {
        moved.store(at: place)
      }
    }
    nodes.compress(number)
    defer { nodes.free(number) }
    return try write(UnsafeRawBufferPointer(start: nodes[number].base, count: nodes[number].size), flags)
  }

  /// Writes an extent again that lies in a sparse block, so that the block becomes free. Returns the reference to it; nil for any other
  /// extent, and for one that cannot be read.
  private func moved(_ reference: Reference) throws(PageError) -> Reference? {
    guard reference.version != version, space.movesExtents, space.isSparse(reference),
      let start = try? store.writerContent(reference)
    else { return nil }
    let moved = try write(UnsafeRawBufferPointer(start: start, count: Int(reference.length)), reference.flags)
    givenUp.append(reference)
    space.noteMoved(reference)
    return moved
  }
}
