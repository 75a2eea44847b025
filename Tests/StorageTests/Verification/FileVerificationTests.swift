import Foundation
import TestSupport
import Testing

@testable import Storage

/// What is found when a whole file is looked at.
@Suite struct FileVerificationTests {
  private func verify(_ file: DamagedFile) throws -> FileVerification {
    try FileVerification(path: file.path)
  }

  @Test func soundFilesHaveNoFaults() throws {
    let file = try DamagedFile()
    defer { file.delete() }
    let found = try verify(file)
    #expect(found.faults == [])
    #expect(found.objectCount == DamagedFile.rowCount)
    #expect(found.size > 100_000)
  }

  @Test func filesInUseCanBeLookedAt() throws {
    let file = try DamagedFile()
    defer { file.delete() }
    let snapshot = try Snapshot(file: DatabaseFile.open(path: file.path))
    for number in 0..<5 {
      try Writer(snapshot).begin()
      snapshot.table(0).deleteRow(number * 3)
      snapshot.table(0).setString(1, 700, "changed \(number)")
      #expect(try verify(file).faults == [])
      try Writer(snapshot).commit(durability: .relaxed)
      let found = try verify(file)
      #expect(found.faults == [])
      #expect(found.objectCount == DamagedFile.rowCount - number - 1)
    }
  }

  /// The numbers of deleted rows are not given again: those that are left may lie far apart.
  @Test func rowsThatLieFarApartTakeNoMemoryBetween() throws {
    let file = try DamagedFile()
    defer { file.delete() }
    let far = 300_000_000
    let snapshot = try Snapshot(file: DatabaseFile.open(path: file.path))
    try Writer(snapshot).begin()
    snapshot.table(0).state.pointee.rowLimit = far
    #expect(snapshot.table(0).insertRow() == far)
    snapshot.table(0).setInteger(0, far, 1)
    snapshot.table(0).setString(1, far, "far")
    snapshot.table(0).setMixed(4, far, .int(5))
    try Writer(snapshot).commit(durability: .relaxed)
    let map = try FileMap.newest(path: file.path, encryptionKey: nil)
    let verifier = try FileVerifier(map)
    verifier.run()
    #expect(verifier.faults == [])
    #expect(verifier.objectCount == DamagedFile.rowCount + 1)
    #expect(verifier.presence[0].chunks == [0, 1, far / chunkCapacity])
    #expect(verifier.isAlive(0, far) && !verifier.isAlive(0, far - 1) && !verifier.isAlive(0, far / 2))
  }

  // MARK: What is wrong

  /// If the header slot of the newest version and its record are damaged, the file opens as an older version, as after a power
  /// failure.
  @Test(arguments: [false, true]) func aHeaderSlotThatCannotBeReadMayHaveBeenThatOfTheNewestVersion(
    isNewest: Bool
  ) throws {
    let file = try DamagedFile()
    defer { file.delete() }
    let version = try verify(file).version
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file.path))
    func newestRecords(_ bytes: Data) -> [Int] {
      stride(from: 0, to: bytes.count - 512, by: 512).filter { place in
        bytes[place..<place + 8].elementsEqual("ORPages5".utf8)
          && bytes[place + 32..<place + 40].elementsEqual(
            withUnsafeBytes(of: UInt64(version).littleEndian, Array.init))
      }
    }
    var damaged = bytes
    let places = newestRecords(bytes)
    let (slots, chain) = (places.filter { $0 < 16384 }, places.filter { $0 >= 16384 })
    #expect(slots.count == 1 && chain.count == 1)
    for place in isNewest ? places : slots { damaged[place + 3] ^= 1 }
    TemporaryFile.delete(file.path)
    try damaged.write(to: URL(fileURLWithPath: file.path))
    let found = try verify(file)
    #expect((found.version < version) == isNewest)
    #expect(found.faults.count { $0.reason.contains("a part of its header cannot be read") } == 1)
    // Opening it for writing decides which version the file is.
    _ = try file.open()
    #expect(try verify(file).faults == [])
  }

  /// As of a disk that has lost what was written to the header.
  @Test func aFileWhoseNewestVersionNothingLeadsToSaysSo() throws {
    let file = try DamagedFile()
    defer { file.delete() }
    let former = try Data(contentsOf: URL(fileURLWithPath: file.path))
    let kept = try verify(file).version
    for _ in 0..<6 {
      let snapshot = try file.open()
      for _ in 0..<2 {
        try Writer(snapshot).begin()
        _ = snapshot.table(0).insertRow()
        try Writer(snapshot).commit()
      }
    }
    let version = try verify(file).version
    // In its place: of a copy, everything is verified.
    let written = try FileHandle(forUpdating: URL(fileURLWithPath: file.path))
    try written.write(contentsOf: former[..<16_384])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file.path))
    for place in stride(from: 16_384, to: bytes.count - 512, by: 512)
    where bytes[place..<place + 8].elementsEqual("ORPages5".utf8) && UInt64(bytes[place + 32]) == kept + 1 {
      try written.seek(toOffset: UInt64(place + 24))
      try written.write(contentsOf: [bytes[place + 24] ^ 1])
    }
    unlink(file.path + "-lock")
    let found = try verify(file)
    #expect(found.version == kept && kept + 12 <= version)
    let reason = "was on the disk, and nothing leads to it: the file opens as version \(kept)"
    #expect(found.faults.contains { $0.reason.contains(reason) && $0.loss == .unknown }, "\(found.faults)")
  }

  // What is not what was written is not read, which the file itself tells.
  private static let words = (chunk: "it is missing", value: "its value is missing")

  private func expect(
    _ reason: String, _ loss: FileFault.Loss, column: String? = nil, rows: Range<Int>? = nil,
    sourceLocation: SourceLocation = #_sourceLocation, damage: (DamagedFile) throws -> Void
  ) throws {
    let file = try DamagedFile()
    defer { file.delete() }
    try damage(file)
    let faults = try verify(file).faults
    let isFound = faults.contains {
      $0.reason.contains(reason) && $0.loss == loss && $0.propertyName == column && $0.className == "Dog"
        && (rows == nil || $0.rows == rows)
    }
    #expect(isFound, "\(faults)", sourceLocation: sourceLocation)
  }

  @Test func damagedChunks() throws {
    try expect(Self.words.chunk, .values, column: "age", rows: 960..<1920) {
      try $0.editStored(.columns, key: DamagedFile.chunkKey(column: 0, chunk: 1)) { $0[60] ^= 4 }
    }
    try expect("its nulls are wrong", .values, column: "friend", rows: 0..<960) {
      try $0.edit(.columns, key: DamagedFile.chunkKey(column: 2)) { $0[$0.count - 1] ^= 1 }
    }
    try expect("it is missing", .values, column: "name", rows: 0..<960) {
      try $0.remove(.columns, key: DamagedFile.chunkKey(column: 1))
    }
    // Indexes have the objects, too.
    try expect("540 objects are known only by what names them", .nothing) {
      try $0.remove(.columns, key: DamagedFile.chunkKey(column: -1, chunk: 1))
    }
  }

  @Test func valuesAndCollections() throws {
    let long = ValueKey(table: 0, column: 1, row: 3).withBytes {
      Array(UnsafeRawBufferPointer(start: $0, count: ValueKey.size))
    }
    try expect("its value is missing", .values, column: "name", rows: 3..<4) {
      try $0.remove(.values, key: long)
    }
    try expect(Self.words.value, .values, column: "name", rows: 3..<4) {
      try $0.editStored(.values, key: long) { $0[4_000] ^= 1 }
    }
    let segment = SegmentKey(CollectionKey(table: 0, column: 3, row: 20), .values, 0).withBytes {
      Array(UnsafeRawBufferPointer(start: $0, count: SegmentKey.size))
    }
    try expect("elements are lost: they are missing", .values, column: "numbers", rows: 20..<21) {
      try $0.remove(.collections, key: segment)
    }
  }

  @Test func indexesThatDisagree() throws {
    let values = IndexNumber.values(table: 0, column: 0)
    try expect("the index has", .nothing, column: "age") {
      try $0.remove(.indexes, key: $0.firstBlock(ofIndex: values, .integer))
    }
    let links = IndexNumber.backlinks(table: 0, column: 2)
    try expect("the index of links has", .nothing, column: "friend") {
      try $0.remove(.indexes, key: $0.firstBlock(ofIndex: links, .integer))
    }
    let words = IndexNumber.words(table: 0, column: 5)
    try expect("the index of words has", .nothing, column: "text") {
      try $0.remove(.indexes, key: $0.firstBlock(ofIndex: words, .bytes))
    }
    // A value that the index does not know of.
    try expect("the index has other pairs than the values", .nothing, column: "age") {
      try $0.edit(.columns, key: DamagedFile.chunkKey(column: 0, chunk: 1)) { $0[ChunkHeader.size] ^= 1 }
    }
  }

  @Test func repeatedPrimaryKeys() throws {
    try expect("1 objects have the primary key of another one", .nothing, column: "age") { file in
      let stamp: UInt64
      do {
        let snapshot = try file.open()
        try Writer(snapshot).begin()
        snapshot.table(0).setInteger(0, 100, snapshot.table(0).integer(0, 200))
        try Writer(snapshot).commit(durability: .relaxed)
        stamp = snapshot.catalogueStamp
      }
      var catalogue = DamagedFile.catalogue
      catalogue.tables[0].columns[0].isPrimaryKey = true
      try file.edit(.main, key: Catalogue.key) { $0 = catalogue.encoded(stamp: stamp) }
    }
  }

  /// Without it nothing can be read.
  @Test func damagedCatalogue() throws {
    for isRemoved in [false, true] {
      let file = try DamagedFile()
      defer { file.delete() }
      if isRemoved {
        try file.remove(.main, key: Catalogue.key)
      } else {
        try file.editStored(.main, key: Catalogue.key) { $0[24] ^= 4 }
      }
      // The node has an older version, which has the same catalogue.
      if !isRemoved {
        let found = try verify(file)
        #expect(found.faults.contains { $0.reason.contains("what it had in version") })
        continue
      }
      let error = #expect(throws: StorageError.self) { try verify(file) }
      #expect(error?.kind == .invalidDatabase)
      #expect(error?.message.contains(isRemoved ? "its catalogue is missing" : "its catalogue") == true)
    }
  }

  /// Whatever bit of a page in use is another one: it is found, or changes nothing that is there.
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func anyChangedByte(seed: UInt64) throws {
    let file = try DamagedFile()
    defer { file.delete() }
    var random = SeededGenerator(seed: seed)
    let sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.path)))
    let content = try Self.content(file.path)
    for _ in 0..<60 {
      var bytes = sound
      let place = Int.random(in: DamagedFile.pageSize * 2..<bytes.count, using: &random)
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      try Data(bytes).write(to: URL(fileURLWithPath: file.path))
      let faults = (try? verify(file).faults) ?? [FileFault(reason: "", loss: .unknown)]
      if faults.isEmpty { #expect(try Self.content(file.path) == content, "seed \(seed), byte \(place)") }
    }
  }

  /// All values of the file.
  private static func content(_ path: String) throws -> [[Value]] {
    let snapshot = try Snapshot(file: DatabaseFile.open(path: path, readOnly: true))
    let dogs = snapshot.table(0)
    return (0..<dogs.rowLimit).filter { dogs.isAlive($0) }.map { row in
      [dogs.value(0, row), dogs.value(1, row), dogs.value(2, row), dogs.value(4, row)]
        + dogs.elements(3, row)
    }
  }
}
