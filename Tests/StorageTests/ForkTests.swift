import CLMDB
import Foundation
import Testing

@testable import Storage

/// A child of fork() that opens the file again, and dies while it reads.
@Suite struct ForkTests {
  @Test func aChildOpensTheFileForItself() async {
    await #expect(processExitsWith: .success) {
      let path = TemporaryFile.path()
      defer { TemporaryFile.delete(path) }
      let snapshot = try Snapshot(file: DatabaseFile.open(path: path))
      try snapshot.beginWrite()
      snapshot.setCatalogue(
        Catalogue(tables: [TableDescription(name: "Thing", columns: [Column(name: "a", type: .int)])]))
      _ = snapshot.table(0).insertRow()
      try snapshot.commitWrite(durability: .relaxed)
      typealias Fork = @convention(c) () -> Int32
      let fork = unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)
      let own = ForkTests.readers(snapshot.file)
      let child = fork()
      if child == 0 {
        alarm(20)
        guard let file = try? DatabaseFile.open(path: path), file !== snapshot.file,
          let own = try? Snapshot(file: file), own.liveCount(table: 0) == 1
        else { _exit(1) }
        // Its reader slot stays behind.
        withExtendedLifetime(own) { _exit(0) }
      }
      var status: Int32 = -1
      waitpid(child, &status, 0)
      try #require(status == 0)
      try #require(ForkTests.readers(snapshot.file) == own + 1)
      for number in 0..<64 {
        try snapshot.beginWrite()
        snapshot.table(0).setInteger(0, 0, Int64(number))
        try snapshot.commitWrite(durability: .relaxed)
      }
      try #require(ForkTests.readers(snapshot.file) == own)
    }
  }

  static func readers(_ file: DatabaseFile) -> Int {
    final class Count { var lines = 0 }
    let count = Count()
    mdb_reader_list(
      file.environment,
      { _, context in
        Unmanaged<Count>.fromOpaque(context!).takeUnretainedValue().lines += 1
        return 0
      }, Unmanaged.passUnretained(count).toOpaque())
    return count.lines - 1
  }
}
