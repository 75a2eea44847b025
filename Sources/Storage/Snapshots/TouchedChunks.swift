import LibC
import Synchronization

/// Which chunks of a snapshot's tables have an address, so that forgetting these takes no time in proportion to the
/// tables.
struct TouchedChunks {
  private struct Place {
    var table: Int32
    var column: Int32
    var chunk: Int32
  }

  private static let limit = 2048

  /// Meaningless once it is full: then any chunk may have one.
  private var places: ContiguousArray<Place> = []

  mutating func append(table: Int, column: Int, chunk: Int) {
    if places.count < Self.limit {
      places.append(Place(table: Int32(table), column: Int32(column), chunk: Int32(chunk)))
    }
  }

  /// Takes the addresses of all chunks away.
  mutating func forgetAll(in tables: ContiguousArray<Table>) {
    if places.count < Self.limit {
      for place in places where place.table < tables.count {
        tables[Int(place.table)].state.pointee.columns[Int(place.column)][Int(place.chunk)] = nil
      }
    } else {
      for table in tables { table.clearPointers() }
    }
    places.removeAll(keepingCapacity: true)
  }

  /// Takes the addresses away that are not to be kept.
  mutating func forget(in tables: ContiguousArray<Table>, unless isKept: (UnsafeRawPointer) -> Bool) {
    guard places.count < Self.limit else {
      for table in tables { table.clearPointers(unless: isKept) }
      return
    }
    places.removeAll { place in
      if place.table >= tables.count { return true }
      let slot = tables[Int(place.table)].state.pointee.columns[Int(place.column)] + Int(place.chunk)
      if let address = slot.pointee, isKept(address) { return false }
      slot.pointee = nil
      return true
    }
  }
}

/// Copies of chunks that do not cover all rows, by their addresses; valid until the content stamp changes. Any thread
/// of a shared snapshot may add one.
struct PaddedChunks: ~Copyable {
  private let addresses = Mutex<[UInt]>([])
  /// Whether the memory is cleared when it is freed, so that no unused memory holds values of an encrypted file.
  private let clears: Bool

  init(clears: Bool) { self.clears = clears }

  deinit { freeAll() }

  func add(_ copy: WideChunk) { addresses.withLock { $0.append(UInt(bitPattern: copy.base)) } }

  func freeAll() {
    addresses.withLock { addresses in
      for address in addresses {
        let copy = WideChunk(UnsafeMutableRawPointer(bitPattern: address)!)
        if clears { explicit_bzero(copy.base, copy.size) }
        copy.deallocate()
      }
      addresses.removeAll()
    }
  }
}
