extension DatabaseFile {
  /// How large a file can become while it is open: address space only, of which a process has 128 TiB for all of its
  /// files; the file itself grows as used. The first 32 files get 1 TiB each, the next 512 get 64 GiB, others 8 GiB, and
  /// large ones more.
  static func mapSize(openCount: Int, fileSize: Int) -> Int {
    #if THREAD_SANITIZER
      // Which leaves 1.5 TiB to all files at once.
      let size = 1 << 32
    #else
      let size = openCount < 32 ? 1 << 40 : openCount < 32 + 512 ? 1 << 36 : 1 << 33
    #endif
    return max(size, fileSize * 4 & ~0xFFFF)
  }
}
