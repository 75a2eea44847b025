/// The memory behind a `Table`: where the chunks of one table are, as one snapshot sees them.
///
/// Invariants: allocated and freed by the snapshot alone; `columns` points to `columnCount` arrays of `capacity`
/// chunk addresses, and `columns[-1]` is that of the presence bitmaps; an address is nil until the chunk is
/// first touched, by several threads at once when the snapshot is shared, so that it is read as an atomic value;
/// `capacity` covers every row below `rowLimit`.
///
/// The memory is confined (see `ConfinedMemory`): the number of the only thread that may use the table is in front of it
/// (see `Table.thread`).
///
/// Some words are not Storage's: it keeps that number, `trackingOffset` and `owner` for the upper layer, and asks none of
/// them. They lie here because an access to a property knows the address of this memory and nothing else. Whether the
/// thread may read, whether the read has to be noted, and where the value is, is one load each that way, of a cache line
/// that is needed in any case; anywhere else, each access would have to find that place first.
public struct TableState {
  /// Stands for all threads: the table never changes. No thread has this number.
  public static let anyThread: UInt = 1
  /// Changes whenever rows may have disappeared.
  public var vanishStamp: Int
  /// The distance from a thread's number to a word of its own that is 0 unless its reads have to be noted.
  public var trackingOffset: UInt
  /// Whether short strings may be put together from their bytes, as the upper layer knows of the runtime.
  public var buildsShortStrings = false
  /// All rows are below it.
  public var rowLimit: Int
  /// The number of rows that are there.
  public var liveCount: Int
  /// For each column the addresses of its chunks.
  public var columns: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeRawPointer?>>
  /// The number of columns.
  public var columnCount: Int
  /// For each column whether writing it concerns more than its chunk (see `ColumnRole`).
  @usableFromInline var roles: UnsafeMutablePointer<UInt8>
  /// For each column the bits that a value takes in a wide chunk; a mark for byte strings.
  var widths: UnsafeMutablePointer<UInt8>
  /// The chunks that there are addresses for.
  public var capacity: Int
  /// The chunk that the open write transaction inserts rows into, all of whose columns are wide; -1 if none.
  @usableFromInline var insertionChunk: Int
  /// Rows from here on were created by the open write transaction.
  @usableFromInline var firstNewRow: Int
  /// The highest number of the table's sequence, -1 until the open write transaction needs it (see `Sequences.swift`).
  var sequence: Int64 = -1
  /// The table's number in the catalogue.
  public let number: Int
  /// What all tables of the snapshot share.
  public let shared: UnsafeMutablePointer<SnapshotState>
  @usableFromInline let snapshot: Unmanaged<Snapshot>
  /// What the upper layer knows of the table.
  public var owner: UnsafeRawPointer?
}

extension TableState {
  /// Whether a thread's reads have to be noted.
  @inlinable @inline(__always)
  public func isTracked(on thread: UInt) -> Bool {
    UnsafePointer<UInt>(bitPattern: thread &+ trackingOffset).unsafelyUnwrapped.pointee != 0
  }
}
