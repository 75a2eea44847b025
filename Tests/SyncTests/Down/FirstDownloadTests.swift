import Foundation
import Storage
import Sync
import TestSupport
import Testing

/// Downloads of many rows, which are kept as the server has sent them until they are applied.
@Suite struct FirstDownloadTests {
  /// - Parameters:
  ///   - memoryLimit: Number of bytes that are kept in memory; nil for the usual one.
  @Test(arguments: [nil, 0, 1 << 20], [false, true])
  func rowsOfAllSizesArrive(memoryLimit: Int?, isEncrypted: Bool) throws {
    let server = try SubscribedServer()
    try server.rows(
      """
      insert into app."Dog" (id, color, name) select n, 'red', repeat('n', n % 1000) from generate_series(1, 4000) n;
      insert into app."Dog" (id, color, name) values (0, 'blue', ''), (9000, 'red', repeat('long', 200000)), (9001, '', 'end')
      """)
    let key = isEncrypted ? (0..<64).map { UInt8($0) } : nil
    let file = try SubscribedFile(server.settings, encryptionKey: key)
    var scratch: [String] = []
    try file.connect()
    if let memoryLimit { file.client.pullMemoryLimit = memoryLimit }
    file.client.noteTransfer = { if $0.transferred == 4000 { scratch = file.scratchFiles() } }
    try file.transfer()
    #expect(scratch.count == (memoryLimit == nil ? 0 : 1), "\(scratch)")
    for content in scratch { #expect(content.contains("nnnnnnnn") != isEncrypted) }
    #expect(file.scratchFiles().isEmpty)
    let dogs = try file.dogs()
    #expect(dogs.count == 4003)
    #expect(
      dogs.filter { 1...4000 ~= $0.key }.allSatisfy {
        $1[3] == .string(String(repeating: "n", count: Int($0 % 1000)))
      })
    #expect(dogs[9000]?[3] == .string(String(repeating: "long", count: 200_000)))
    #expect(dogs[0]?[1] == .string("blue") && dogs[9001]?[3] == .string("end"))
  }

  @Test func aConnectionThatIsLostBetweenRowsLeavesNothing() throws {
    let server = try SubscribedServer()
    try server.rows(
      "insert into app.\"Dog\" (id, color, name) select n, 'red', repeat('n', 500) from generate_series(1, 3000) n"
    )
    let file = try SubscribedFile(server.settings)
    file.client.pullMemoryLimit = 1 << 18
    for count in [1, 1000, 2999, 3000] {
      try file.connect()
      file.client.noteTransfer = { _ in }
      let connection = CuttingConnection(try PostgresConnection(server.settings), cut: nil) { $0 }
      connection.rowsUntilCut = count
      file.client.disconnect()
      file.client.connection = connection
      try file.client.contact()
      #expect(throws: PostgresError.self) { try file.client.pull() }
      file.client.disconnect()
      #expect(try file.dogs().isEmpty && file.scratchFiles().isEmpty, "after \(count) rows")
      #expect(file.client.state.needsFullPull)
    }
    try file.pull()
    #expect(try file.dogs().count == 3000)
  }

  @Test func rowsThatTheDiskHasChangedAreNotApplied() throws {
    let server = try SubscribedServer()
    try server.rows(
      "insert into app.\"Dog\" (id, color, name) select n, 'red', repeat('n', 500) from generate_series(1, 3000) n"
    )
    let file = try SubscribedFile(server.settings)
    try file.connect()
    file.client.pullMemoryLimit = 1 << 18
    file.client.noteTransfer = { transfer in
      guard transfer.transferred == 3000, let link = file.scratchLinks().first else { return }
      let handle = FileHandle(forUpdatingAtPath: link)!
      try! handle.seek(toOffset: 1000)
      try! handle.write(contentsOf: Data([0]))
    }
    let error = #expect(throws: StorageError.self) { try file.client.pull() }
    #expect(error?.message.contains("its checksum is wrong") == true)
    #expect(try file.dogs().isEmpty && file.scratchFiles().isEmpty && file.client.state.needsFullPull)
    file.client.noteTransfer = nil
    try file.pull()
    #expect(try file.dogs().count == 3000)
  }
}

extension ClientFile {
  /// The descriptors of this process for files without a name in the folder of the realm file.
  func scratchLinks() -> [String] {
    let folder = URL(filePath: path).deletingLastPathComponent().resolvingSymlinksInPath().path
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return descriptors.map { "/proc/self/fd/\($0)" }.filter {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: $0))?.hasPrefix(folder + "/#") ?? false
    }
  }

  /// The beginnings of these files.
  func scratchFiles() -> [String] {
    scratchLinks().compactMap { FileHandle(forReadingAtPath: $0) }.map {
      String(decoding: (try? $0.read(upToCount: 1 << 16)) ?? Data(), as: UTF8.self)
    }
  }
}
