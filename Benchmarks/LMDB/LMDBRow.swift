/// How a dog lies in 64 bytes: age, weight and date of birth in eight bytes each, then whether it is
/// vaccinated, the lengths of its name and colour, and the two texts.
///
/// The memory belongs to LMDB: written only between `mdb_put` with MDB_RESERVE and the next call, read only
/// inside a transaction. LMDB aligns values to two bytes, hence the unaligned loads and the byte-wise stores.
struct LMDBRow {
  static let size = 64

  private static let weightOffset = 8
  private static let bornOffset = 16
  private static let vaccinatedOffset = 24
  private static let nameLengthOffset = 25
  private static let colorLengthOffset = 26
  private static let colorOffset = 27
  private static let nameOffset = 37

  let memory: UnsafeMutableRawPointer

  var age: Int {
    get { Int(memory.loadUnaligned(as: Int64.self)) }
    nonmutating set { store(Int64(newValue), at: 0) }
  }

  var nameLength: Int {
    Int(memory.load(fromByteOffset: Self.nameLengthOffset, as: UInt8.self))
  }

  func fill(
    name: UnsafeBufferPointer<CChar>, age: Int, color: UnsafeBufferPointer<CChar>, weight: Double,
    born: Int, vaccinated: Bool
  ) {
    precondition(color.count <= Self.nameOffset - Self.colorOffset)
    precondition(name.count <= Self.size - Self.nameOffset)
    store(Int64(age), at: 0)
    store(weight, at: Self.weightOffset)
    store(Int64(born), at: Self.bornOffset)
    store(vaccinated ? 1 : 0 as UInt8, at: Self.vaccinatedOffset)
    store(UInt8(name.count), at: Self.nameLengthOffset)
    store(UInt8(color.count), at: Self.colorLengthOffset)
    if let bytes = color.baseAddress {
      (memory + Self.colorOffset).copyMemory(from: bytes, byteCount: color.count)
    }
    if let bytes = name.baseAddress {
      (memory + Self.nameOffset).copyMemory(from: bytes, byteCount: name.count)
    }
  }

  private func store<Value: BitwiseCopyable>(_ value: Value, at offset: Int) {
    withUnsafeBytes(of: value) { bytes in
      (memory + offset).copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
    }
  }
}
