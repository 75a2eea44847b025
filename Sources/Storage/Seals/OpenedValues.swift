import LibC
import Synchronization

/// The values of an encrypted file that have been decrypted: each in a buffer of its own, which is cleared when it is
/// freed. Pointer tables, index readers and all other readers point into these buffers as they point into the map of a
/// plain file.
///
/// A value is known by its nonce, which never comes twice. So it does not matter at which place of the file it was found,
/// in which version, or whether on a page that a transaction is still changing; and a place with another value
/// has another nonce.
///
/// A buffer lives as long as a transaction of LMDB in which it was read: as long as its bytes would stay where they are
/// in the map. When the transaction ends or moves to another version, its buffers have no holder; then they are kept for
/// the next one, up to `idleLimit` bytes in total, and the buffers that were released first are freed first. What a version
/// in use has shown stays in memory, therefore: at most what it holds, once, however many realms and threads read it.
/// They cannot be evicted at an arbitrary moment: reading a value from a pointer table records nothing, so that its readers are
/// unknown. But a snapshot of one thread knows moments at which none of its pointers is in use: when it is asked to move,
/// between two steps of a walk over objects, and between two chunks of a scan. Then it evicts everything, if that is more
/// than the `heldLimit` (`Snapshot.letGoOfDecrypted`). The reads of a shared snapshot are counted, and it evicts when there
/// is none (`ReadersInside`).
///
/// Invariants: a buffer is in `values` from the time when it is known to be authentic until it is freed. It is in `held`
/// of each transaction that has read it; `holders` counts these. It is freed only when there are none. Contents never
/// change. All that is here is under the lock, but the contents, the sum of their sizes, and the mark that a value's form
/// has been looked at.
final class OpenedValues: Sendable {
  let cipher: FileCipher
  private let state = Mutex(State())
  private let totalSize = Atomic(0)
  private let totalHolds = Atomic(0)

  /// Maximum number of bytes in the whole file that are kept without a holder, and of those that a transaction may hold when it
  /// can evict them. Tests set other limits.
  static let idleLimit = Atomic(32 << 20)
  static let heldLimit = Atomic(64 << 20)

  fileprivate struct Held {
    var values: [Nonce: OpenedValue] = [:]
    var size = 0
  }

  fileprivate struct State: @unchecked Sendable {
    var values: [Nonce: OpenedValue] = [:]
    var held: [OpaquePointer: Held] = [:]
    /// The values without a holder, in the order of their release; and others that have a holder again.
    var idle = Queue<(value: OpenedValue, release: Int)>()
    var idleSize = 0
    var holdCount = 0
  }

  init(_ cipher: FileCipher) { self.cipher = cipher }

  /// The content of a stored value. Valid until the transaction ends or moves.
  ///
  /// - Throws: It is not what was written for the key.
  func open(
    _ stored: UnsafeRawBufferPointer, _ key: UnsafeRawPointer, _ keySize: Int,
    _ transaction: EntryTransaction
  ) throws(SealFault) -> UnsafeRawBufferPointer {
    guard stored.count >= Seal.encryptedSize else { throw SealFault(reason: "its seal is cut off") }
    let end = stored.count - Seal.encryptedSize
    let seal = stored.baseAddress! + end
    let nonce = Nonce(seal + 2)
    if let known = find(nonce, transaction) {
      if known.isFor(stored, key, keySize) { return UnsafeRawBufferPointer(known.content) }
      throw SealFault(reason: "it is another value's")
    }
    let value = OpenedValue(nonce, size: end, seal: seal, key: key, keySize)
    guard cipher.open(stored: stored, key: key, keySize, to: value.content.baseAddress!) else {
      throw SealFault(reason: "it cannot be decrypted")
    }
    nonisolated(unsafe) let handle = transaction.handle
    let kept = state.withLock { state in
      let kept = state.add(value, handle)
      if kept === value { totalSize.add(end, ordering: .relaxed) }
      totalHolds.store(state.holdCount, ordering: .relaxed)
      return kept
    }
    return UnsafeRawBufferPointer(kept.content)
  }

  private func find(_ nonce: Nonce, _ transaction: EntryTransaction) -> OpenedValue? {
    nonisolated(unsafe) let handle = transaction.handle
    return state.withLock { state in
      defer { totalHolds.store(state.holdCount, ordering: .relaxed) }
      return state.find(nonce, handle)
    }
  }

  /// A transaction is about to end, or to move to another version.
  func release(_ transaction: EntryTransaction) {
    nonisolated(unsafe) let handle = transaction.handle
    state.withLock { state in
      let freed = state.release(handle, idleLimit: Self.idleLimit.load(ordering: .relaxed))
      totalSize.subtract(freed, ordering: .relaxed)
    }
  }

  /// The bytes of all buffers.
  @inline(__always) var size: Int { totalSize.load(ordering: .relaxed) }

  /// Whether they exceed the limit for a transaction that can evict them.
  @inline(__always) var isTooLarge: Bool { size > Self.heldLimit.load(ordering: .relaxed) }

  /// Changes whenever a transaction holds a value that it did not hold before, whether that was decrypted for it or not.
  @inline(__always) var holdCount: Int { totalHolds.load(ordering: .relaxed) }

  /// The bytes of those that a transaction holds.
  func size(heldBy transaction: EntryTransaction) -> Int {
    nonisolated(unsafe) let handle = transaction.handle
    return state.withLock { $0.held[handle]?.size ?? 0 }
  }
}

extension OpenedValues.State {
  fileprivate mutating func find(_ nonce: Nonce, _ transaction: OpaquePointer) -> OpenedValue? {
    if let value = held[transaction]?.values[nonce] { return value }
    return values[nonce].map { hold($0, transaction) }
  }

  /// Another thread may have been quicker, whose buffer is the one then.
  fileprivate mutating func add(_ value: OpenedValue, _ transaction: OpaquePointer) -> OpenedValue {
    if let other = find(value.nonce, transaction) { return other }
    values[value.nonce] = value
    // As if it had been released before.
    idleSize += value.content.count
    return hold(value, transaction)
  }

  private mutating func hold(_ value: OpenedValue, _ transaction: OpaquePointer) -> OpenedValue {
    if value.holders == 0 {
      idleSize -= value.content.count
      value.release += 1
    }
    value.holders += 1
    holdCount += 1
    held[transaction, default: OpenedValues.Held()].values[value.nonce] = value
    held[transaction]!.size += value.content.count
    return value
  }

  /// Returns how many bytes were freed.
  fileprivate mutating func release(_ transaction: OpaquePointer, idleLimit: Int) -> Int {
    guard let released = held.removeValue(forKey: transaction) else { return 0 }
    var freed = 0
    for value in released.values.values {
      value.holders -= 1
      if value.holders > 0 { continue }
      idleSize += value.content.count
      idle.append((value, value.release))
    }
    while idleSize > idleLimit, let (value, release) = idle.removeFirst() {
      guard value.release == release, value.holders == 0 else { continue }
      values[value.nonce] = nil
      idleSize -= value.content.count
      freed += value.content.count
    }
    // Those that were held again would become ever more.
    if idle.count > 2 * values.count + 64 { _ = idle.removeAll { $0.value.release != $0.release } }
    return freed
  }
}

/// The number of a sealed value, different for all of a file.
struct Nonce: Hashable, Sendable {
  private let first: UInt64
  private let last: UInt32

  init(_ bytes: UnsafeRawPointer) {
    first = bytes.loadUnaligned(as: UInt64.self)
    last = bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
  }
}

/// The decrypted content of a value.
///
/// Its memory: a word that is not 0 when the form of the content has been found sound, another one, the content; the
/// seal that it has in the file; the LMDB key.
final class OpenedValue: @unchecked Sendable {
  static let headerSize = 16

  let nonce: Nonce
  let content: UnsafeMutableRawBufferPointer
  private let keySize: Int
  /// How many transactions have read it.
  fileprivate(set) var holders = 0
  /// Changes whenever it is held again.
  fileprivate(set) var release = 0

  fileprivate init(
    _ nonce: Nonce, size: Int, seal: UnsafeRawPointer, key: UnsafeRawPointer, _ keySize: Int
  ) {
    self.nonce = nonce
    self.keySize = keySize
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Self.headerSize + size + Seal.encryptedSize + keySize, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: Self.headerSize)
    content = UnsafeMutableRawBufferPointer(start: memory + Self.headerSize, count: size)
    behind.copyMemory(from: seal, byteCount: Seal.encryptedSize)
    (behind + Seal.encryptedSize).copyMemory(from: key, byteCount: keySize)
  }

  deinit {
    explicit_bzero(content.baseAddress!, content.count)
    (content.baseAddress! - Self.headerSize).deallocate()
  }

  private var behind: UnsafeMutableRawPointer { content.baseAddress! + content.count }

  /// Whether a stored value with the same nonce is this one, at its own place. What is encrypted between may have been
  /// damaged since, which does no harm.
  fileprivate func isFor(_ stored: UnsafeRawBufferPointer, _ key: UnsafeRawPointer, _ keySize: Int) -> Bool {
    let end = stored.count - Seal.encryptedSize
    return end == content.count && keySize == self.keySize
      && memcmp(stored.baseAddress! + end, behind, Seal.encryptedSize) == 0
      && memcmp(key, behind + Seal.encryptedSize, keySize) == 0
  }

  // MARK: Its form

  /// Whether the form of the content that begins at an address has been found sound.
  static func isChecked(_ content: UnsafeRawPointer) -> Bool {
    mark(content).pointee.load(ordering: .relaxed) != 0
  }

  static func noteChecked(_ content: UnsafeRawPointer) { mark(content).pointee.store(1, ordering: .relaxed) }

  private static func mark(_ content: UnsafeRawPointer) -> UnsafePointer<Atomic<UInt64>> {
    (content - headerSize).assumingMemoryBound(to: Atomic<UInt64>.self)
  }
}
