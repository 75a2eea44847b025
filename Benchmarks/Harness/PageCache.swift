import Foundation

/// Control over how much of a file the operating system holds in memory.
enum PageCache {
  /// Drops the file's pages and returns whether none is left.
  ///
  /// The advice leaves pages that are dirty or mapped, so the result is looked at. Only when pages stay is
  /// the whole machine's cache dropped, which needs root and slows down everybody else on it.
  static func drop(_ path: String) throws -> Bool {
    let file = open(path, O_RDWR)
    guard file >= 0 else { throw SystemError("open", path: path) }
    defer { close(file) }
    fsync(file)
    posix_fadvise(file, 0, 0, Int32(POSIX_FADV_DONTNEED))
    if try residentPages(of: file, path: path) == 0 { return true }
    if let everything = fopen("/proc/sys/vm/drop_caches", "w") {
      fputs("1\n", everything)
      fclose(everything)
    }
    return try residentPages(of: file, path: path) == 0
  }

  private static func residentPages(of file: Int32, path: String) throws -> Int {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw SystemError("fstat", path: path) }
    let size = Int(status.st_size)
    guard size > 0 else { return 0 }
    guard let map = mmap(nil, size, PROT_READ, MAP_SHARED, file, 0), map != MAP_FAILED else {
      throw SystemError("mmap", path: path)
    }
    defer { munmap(map, size) }
    let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
    var resident = [UInt8](repeating: 0, count: (size + pageSize - 1) / pageSize)
    guard mincore(map, size, &resident) == 0 else { throw SystemError("mincore", path: path) }
    return resident.count { $0 & 1 == 1 }
  }
}
