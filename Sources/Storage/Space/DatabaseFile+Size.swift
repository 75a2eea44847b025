import Glibc

extension DatabaseFile {
  /// The bytes of the file, and those of them that hold data.
  package var size: (total: Int, used: Int) {
    let pageSize = environment.pageSize
    let pages = environment.lastPage + 1
    var file = stat()
    let isKnown = (try? environment.descriptor).map { fstat($0, &file) == 0 } ?? false
    let total = isKnown ? Int(file.st_size) : pages * pageSize
    return (total, (pages - pageCount(freedAfter: 0)) * pageSize)
  }
}
