import LibC

/// A collection's changes in a write transaction: its elements as wide chunks, each made when it is first
/// written.
///
/// All segments but the last hold `chunkCapacity` elements, so an element's place follows from its index;
/// inserting or removing in the middle moves everything behind it. Many collections have few elements: a wide segment
/// has room for as many as it needs, up to `chunkCapacity`, and grows.
final class CollectionChanges {
  let key: CollectionKey
  /// Outlives the changes.
  private unowned(unsafe) let source: any CollectionSource
  /// Owns the changes.
  private unowned(unsafe) let transaction: WriteTransaction
  private let arena: ByteArena
  private let shared: UnsafeMutablePointer<SnapshotState>
  private let storedCount: Int
  @exclusivity(unchecked) private(set) var count: Int
  /// What is logged; kept only for rows that were there before.
  @exclusivity(unchecked) private(set) var positions = PositionChanges()
  let isTracked: Bool
  /// What the log of a synced file says beyond the positions.
  @exclusivity(unchecked) private(set) var elements = ElementChanges()
  /// Whether that is kept.
  let notesElements: Bool
  @exclusivity(unchecked) private var values: Segments
  private var keys: Segments?
  /// Whether its elements are mixed values without keys, which may be lists and dictionaries that were stored without an identity.
  private let mayLackIdentities: Bool
  /// All elements of such a list from this position on have one.
  @exclusivity(unchecked) private var identifiedFrom: Int

  private struct Segments {
    let layout: ChunkLayout
    let isNullable: Bool
    var wide: [WideChunk?]
  }

  init(
    _ key: CollectionKey, description: Column, count: Int, isTracked: Bool, notesElements: Bool,
    source: any CollectionSource, shared: UnsafeMutablePointer<SnapshotState>, transaction: WriteTransaction
  ) {
    self.key = key
    self.isTracked = isTracked
    self.notesElements = isTracked && notesElements
    self.source = source
    self.transaction = transaction
    arena = transaction.arena
    self.shared = shared
    storedCount = count
    self.count = count
    mayLackIdentities = description.type == .mixed && description.collection != .map
    identifiedFrom = isTracked ? count : 0
    let segmentCount = Self.segmentCount(count)
    values = Segments(
      layout: description.elementLayout, isNullable: description.isNullable,
      wide: Array(repeating: nil, count: segmentCount))
    if description.collection == .map {
      keys = Segments(layout: .bytes, isNullable: false, wide: Array(repeating: nil, count: segmentCount))
    }
  }

  deinit {
    for case let segment? in values.wide { segment.deallocate() }
    for case let segment? in keys?.wide ?? [] { segment.deallocate() }
  }

  private static func segmentCount(_ count: Int) -> Int { (count + chunkCapacity - 1) / chunkCapacity }

  /// A segment as it is now, or nil when it was not written.
  func segment(_ family: CollectionFamily, _ index: Int) -> Chunk? {
    let wide = family == .values ? values.wide : keys?.wide ?? []
    return index < wide.count ? wide[index]?.chunk : nil
  }

  /// A segment with room for all of its elements. The same place in memory as long as the count does not change.
  private func writable(_ family: CollectionFamily, _ index: Int) -> WideChunk {
    let existing = family == .values ? values.wide[index] : keys!.wide[index]
    let needed = min(chunkCapacity, count - index * chunkCapacity)
    if let existing, existing.chunk.count >= needed { return existing }
    let (layout, isNullable) =
      family == .values ? (values.layout, values.isNullable) : (ChunkLayout.bytes, false)
    var segment: WideChunk
    if let existing {
      segment = existing.grown(to: Self.capacity(for: needed, index), layout)
    } else if index * chunkCapacity < storedCount {
      let stored = source.storedSegment(key, family, index)
      let storedElements = min(chunkCapacity, storedCount - index * chunkCapacity)
      segment = .allocate(
        layout, isNullable: isNullable, capacity: Self.capacity(for: max(needed, storedElements), index))
      segment.copy(stored, layout: layout) { _ in UnsafeRawBufferPointer(start: nil, count: 0) }
    } else {
      segment = .allocate(layout, isNullable: isNullable, capacity: Self.capacity(for: needed, index))
    }
    if family == .values { values.wide[index] = segment } else { keys!.wide[index] = segment }
    return segment
  }

  /// Those that are larger than one segment go on growing.
  private static func capacity(for count: Int, _ index: Int) -> Int {
    if index > 0 { return chunkCapacity }
    return count <= 16 ? 16 : count <= 64 ? 64 : count <= 256 ? 256 : chunkCapacity
  }

  // MARK: Single elements

  func set(_ family: CollectionFamily, _ position: Int, _ value: Value) {
    if isTracked { noteModified(position) }
    let segment = writable(family, position / chunkCapacity)
    let index = position % chunkCapacity
    segment.setNotNull(index)
    switch value {
    case .null: segment.setNull(index)
    case .int(let number): segment.setInteger(index, number)
    case .bool(let flag): segment.setInteger(index, flag ? 1 : 0)
    case .link(_, let row): segment.setInteger(index, Int64(row))
    case .float(let number): segment.setFloat(index, number)
    case .double(let number), .date(let number): segment.setDouble(index, number)
    case .objectId(let id): id.store(to: segment.values + index * 12)
    case .uuid(let fixed), .decimal128(let fixed): fixed.store(to: segment.values + index * 16)
    case .string(var string):
      string.withUTF8 { segment.setBytes(index, arena.copy(UnsafeRawBufferPointer($0), shared)) }
    case .data(let data): data.withUnsafeBytes { segment.setBytes(index, arena.copy($0, shared)) }
    case .list, .dictionary: preconditionFailure("nested collections are mixed values")
    }
  }

  /// A mixed value, which is kept as bytes. Lists and dictionaries in it get new identities.
  func setMixed(_ position: Int, _ value: Value) {
    setMixed(position, bytes: value.isNull ? nil : transaction.storedBytes(of: value))
  }

  /// A mixed value by its bytes; nil for null.
  func setMixed(_ position: Int, bytes: [UInt8]?) {
    if isTracked { noteModified(position) }
    let segment = writable(.values, position / chunkCapacity)
    let index = position % chunkCapacity
    guard let bytes else { return segment.setNull(index) }
    segment.setNotNull(index)
    bytes.withUnsafeBytes { segment.setBytes(index, arena.copy($0, shared)) }
  }

  /// The bytes of a mixed value; nil for null.
  func mixedBytes(_ position: Int) -> [UInt8]? {
    let chunk = writable(.values, position / chunkCapacity).chunk
    let index = position % chunkCapacity
    return chunk.isNull(index) ? nil : chunk.bytes(index).map { Array($0) }
  }

  /// The bytes of a mixed value that is about to get another position: with its identity where it is a list or
  /// dictionary. Nil for null.
  func movedMixedBytes(_ position: Int) -> [UInt8]? {
    guard let bytes = mixedBytes(position), mayLackIdentities else { return mixedBytes(position) }
    return bytes.withUnsafeBytes { NestedHeader.identifying($0, as: UInt64(position)) } ?? bytes
  }

  /// Writes down the identities of lists and dictionaries that are known by their position alone, before those from a
  /// position on move.
  private func writeIdentities(from position: Int) {
    if !mayLackIdentities || position >= identifiedFrom { return }
    for position in position..<identifiedFrom {
      let segment = writable(.values, position / chunkCapacity)
      let index = position % chunkCapacity
      guard !segment.chunk.isNull(index), let bytes = segment.chunk.bytes(index),
        let identified = NestedHeader.identifying(bytes, as: UInt64(position))
      else { continue }
      identified.withUnsafeBytes { segment.setBytes(index, arena.copy($0, shared)) }
    }
    identifiedFrom = position
  }

  /// Appends a number or a row to a list. Returns the new count.
  @inline(__always)
  func append(_ number: Int64) -> Int {
    let index = count % chunkCapacity
    let segmentNumber = count / chunkCapacity
    if index == 0 {
      makeRoom(at: count, count: 1)
    } else {
      if isTracked { positions.insert(at: count, count: 1) }
      count &+= 1
    }
    var segment = values.wide[segmentNumber]
    if segment.map({ $0.chunk.count <= index }) ?? true { segment = writable(.values, segmentNumber) }
    segment.unsafelyUnwrapped.setNotNull(index)
    segment.unsafelyUnwrapped.setInteger(index, number)
    return count
  }

  // MARK: Noting

  private func noteModified(_ position: Int) {
    positions.modify(position)
    elements.severedModifications.removeMember(position)
  }

  /// Notes an element of a set, or the key of a map, that is inserted, changed or removed.
  func noteTouched(_ element: Value) { elements.touched.insert(ExactValue(element)) }

  /// Notes that an element is about to be removed because its target disappears.
  ///
  /// - Parameter element: The element of a set; nil in a list.
  func noteSeveredRemoval(at position: Int, _ element: Value?) {
    if !notesElements { return }
    if let element {
      elements.severed.insert(ExactValue(element))
    } else if isOriginal(position) {
      elements.severedDeletions.formUnion(
        positions.oldPositions(of: IndexRanges(position..<position + 1)))
    }
  }

  /// Notes that an element is about to lose a link in it whose target disappears. Returns whether that is the only change of
  /// the element.
  ///
  /// - Parameter key: The key of a map; nil in a list.
  func noteSeveredChange(at position: Int, _ key: Value?) -> Bool {
    if let key {
      elements.severed.insert(ExactValue(key))
      return true
    }
    return isOriginal(position)
  }

  /// Notes that an element of a list lost a link in it.
  func noteSeveredModification(at position: Int) { elements.severedModifications.insert(position) }

  /// Whether nothing but the loss of links has changed an element of a list.
  private func isOriginal(_ position: Int) -> Bool {
    !positions.insertions.contains(position)
      && (!positions.modifications.contains(position) || elements.severedModifications.contains(position))
  }

  // MARK: Room

  /// Makes room for new elements at a position; their values are unspecified until set.
  func makeRoom(at position: Int, count added: Int) {
    writeIdentities(from: position)
    if isTracked {
      positions.insert(at: position, count: added)
      elements.insertPositions(at: position, count: added)
    }
    let newCount = count + added
    let segments = Self.segmentCount(newCount)
    while values.wide.count < segments {
      values.wide.append(nil)
      keys?.wide.append(nil)
    }
    let behind = count - position
    count = newCount
    for segment in position / chunkCapacity..<segments {
      _ = writable(.values, segment)
      if keys != nil { _ = writable(.keys, segment) }
    }
    if behind > 0 {
      move(.values, from: position, to: position + added, count: behind)
      if keys != nil { move(.keys, from: position, to: position + added, count: behind) }
    }
  }

  /// Removes elements.
  func remove(at position: Int, count removed: Int) {
    writeIdentities(from: position + removed)
    identifiedFrom = min(identifiedFrom, position)
    if isTracked {
      positions.remove(position..<position + removed)
      elements.removePositions(position..<position + removed)
    }
    let behind = count - position - removed
    if behind > 0 {
      move(.values, from: position + removed, to: position, count: behind)
      if keys != nil { move(.keys, from: position + removed, to: position, count: behind) }
    }
    count -= removed
    let segments = Self.segmentCount(count)
    while values.wide.count > segments {
      values.wide.removeLast()?.deallocate()
      if keys != nil { keys!.wide.removeLast()?.deallocate() }
    }
    // A segment that was cut short must be written again.
    if removed > 0, count % chunkCapacity != 0 {
      _ = writable(.values, segments - 1)
      if keys != nil { _ = writable(.keys, segments - 1) }
    }
  }

  /// Moves elements run by run, so that each run lies in one segment at either end.
  private func move(_ family: CollectionFamily, from: Int, to: Int, count: Int) {
    var done = 0
    while done < count {
      let isBackward = to > from
      let rest = count - done
      let source = isBackward ? from + rest - 1 : from + done
      let target = isBackward ? to + rest - 1 : to + done
      let run =
        isBackward
        ? min(rest, source % chunkCapacity + 1, target % chunkCapacity + 1)
        : min(rest, chunkCapacity - source % chunkCapacity, chunkCapacity - target % chunkCapacity)
      let sourceFirst = isBackward ? source - run + 1 : source
      let targetFirst = isBackward ? target - run + 1 : target
      copyRun(family, sourceFirst, targetFirst, run)
      done += run
    }
  }

  private func copyRun(_ family: CollectionFamily, _ source: Int, _ target: Int, _ count: Int) {
    let from = writable(family, source / chunkCapacity)
    let to = writable(family, target / chunkCapacity)
    let (sourceIndex, targetIndex) = (source % chunkCapacity, target % chunkCapacity)
    let unit = WideChunk.unit(family == .keys ? .bytes : values.layout)
    memmove(to.values + targetIndex * unit, from.values + sourceIndex * unit, count * unit)
    guard let nulls = from.nullBitmap, let targetNulls = to.nullBitmap else { return }
    func copyBit(_ offset: Int) {
      if bitIsSet(nulls, sourceIndex + offset) {
        setBit(targetNulls, targetIndex + offset)
      } else {
        clearBit(targetNulls, targetIndex + offset)
      }
    }
    if target > source {
      for offset in (0..<count).reversed() { copyBit(offset) }
    } else {
      for offset in 0..<count { copyBit(offset) }
    }
  }

  // MARK: Storing

  /// Copies what is stored in nodes to memory, because storing moves it.
  func detachFromNodes() {
    let bytes = (values.layout == .bytes ? values.wide : []) + (keys?.wide ?? [])
    for case let segment? in bytes { segment.detach(arena, shared, keepsLongValuesOutside: false) }
  }

  /// Notes the places of all byte strings.
  func mark(_ use: inout ByteArena.Use) {
    for case let segment? in values.wide { segment.mark(&use) }
    for case let segment? in keys?.wide ?? [] { segment.mark(&use) }
  }

  func store(_ target: EntryTransaction, _ tree: EntryTree) throws(EntryError) {
    try store(.values, values, target, tree)
    if let keys { try store(.keys, keys, target, tree) }
  }

  private func store(
    _ family: CollectionFamily, _ segments: Segments, _ target: EntryTransaction, _ tree: EntryTree
  ) throws(EntryError) {
    for (index, segment) in segments.wide.enumerated() {
      guard let segment else { continue }
      let encoder = ChunkEncoder(
        segment, layout: segments.layout, count: min(chunkCapacity, count - index * chunkCapacity),
        presence: nil, keepsLongValuesOutside: false)
      try SegmentKey(key, family, index).withBytes { (bytes) throws(EntryError) in
        try target.store(tree, bytes, SegmentKey.size, size: encoder.size) { encoder.write(to: $0) }
      }
    }
    for index in segments.wide.count..<max(segments.wide.count, Self.segmentCount(storedCount)) {
      try SegmentKey(key, family, index).withBytes { (bytes) throws(EntryError) in
        try target.delete(tree, bytes, SegmentKey.size)
      }
    }
  }
}

extension Column {
  /// The layout of a collection's elements. Booleans take an integer, which can be moved by the byte.
  package var elementLayout: ChunkLayout { type == .bool ? .integer : type.layout }
}
