import Glibc

extension DatabaseFile {
  /// The bytes of the file, and those of them that hold data.
  package var size: (total: Int, used: Int) {
    let pageSize = environment.pageSize
    let pages = environment.lastPage + 1
    var file = stat()
    let isKnown = (try? environment.descriptor).map { fstat($0, &file) == 0 } ?? false
    let total = isKnown ? Int(file.st_size) : pages * pageSize
    return (total, (pages - freePageCount) * pageSize)
  }

  /// The pages that are not in use, from the list that LMDB keeps in its first database.
  private var freePageCount: Int {
    guard let transaction = try? takeReader() else { return 0 }
    defer { readerPool.give(transaction) }
    guard let cursor = try? transaction.openCursor(LMDBTransaction.freePages) else { return 0 }
    defer { cursor.close() }
    var count = 0
    while let entry = try? cursor.nextEntry() { count += FreeList(entry.value)?.count ?? 0 }
    return count
  }
}
