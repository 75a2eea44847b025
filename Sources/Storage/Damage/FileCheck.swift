import LibC

#if OWN_PAGES
  import Pages
#endif

/// What can be said of a file before LMDB touches it: LMDB itself would map a truncated file and crash when a
/// missing page is read.
enum FileCheck {
  /// The identity of an existing file, if it is one that can be opened by its name; nil for one that is still to be
  /// made.
  static func identity(_ location: FileLocation, readOnly: Bool) throws(StorageError) -> FileIdentity? {
    var information = stat()
    guard stat(location.resolved, &information) == 0 else {
      if errno == ENOENT && !readOnly { return nil }
      throw openingError(errno, path: location.path, readOnly: readOnly)
    }
    let failed = "Failed to open Realm file at path '\(location.path)': "
    if information.st_mode & S_IFMT == S_IFDIR {
      throw StorageError(.access, path: location.path, message: failed + "Is a directory")
    }
    // Opening anything else may wait, or have effects.
    if information.st_mode & S_IFMT != S_IFREG {
      throw StorageError(.access, path: location.path, message: failed + "not a regular file")
    }
    // Each of its names would have a lock file of its own.
    if information.st_nlink > 1 {
      throw StorageError(
        .access, path: location.path,
        message: failed + "it has \(information.st_nlink) names (hard links), and may have only one.")
    }
    return FileIdentity(information)
  }

  static func openingError(_ code: Int32, path: String, readOnly: Bool) -> StorageError {
    if code == ENOTDIR {
      let lock = path + ".lock"
      return StorageError(
        .operationFailed, path: lock,
        message: "Failed to open file at path '\(lock)': parent path is not a directory")
    }
    return .system(code, path: path)
  }

  /// Checks that a file that is not empty begins as an LMDB file and is as long as it says.
  static func checkContent(descriptor: Int32, path: String, readOnly: Bool) throws(StorageError) {
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw .system(errno, path: path) }
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw StorageError(
        .access, path: path, message: "Failed to open Realm file at path '\(path)': not a regular file")
    }
    let size = Int(information.st_size)
    if size == 0 {
      if readOnly { throw .invalid(path: path, "file is empty.") }
      return
    }
    if isOfficial(descriptor) {
      throw StorageError(
        .unsupportedFormat, path: path,
        message:
          "Failed to open Realm file at path '\(path)': it is a file of the official Realm SDK. Convert it with `officialFile: .convert` in the configuration, or with the command `realm convert OLD NEW`."
      )
    }
    #if OWN_PAGES
      if !PageStore.mayBePages(descriptor) { throw .invalid(path: path, "not a Realm file.") }
    #else
      let pageSize = LMDBPage.size
      guard size >= 2 * pageSize else {
        throw .invalid(
          path: path, "file is non-empty but too small (\(size) bytes) to be a valid Realm.")
      }
      for number in 0..<2 {
        let meta = try metaPage(number, descriptor: descriptor, path: path)
        guard meta.isLMDB else { throw .invalid(path: path, "not a Realm file.") }
        if let fault = meta.fault { throw .damaged(path: path, fault) }
      }
    #endif
  }

  /// Whether it has the mark that files of the official engine have, unless they are encrypted.
  private static func isOfficial(_ descriptor: Int32) -> Bool {
    var mark = [UInt8](repeating: 0, count: 4)
    return pread(descriptor, &mark, mark.count, 16) == mark.count && mark == Array("T-DB".utf8)
  }

  #if !OWN_PAGES
    private static func metaPage(
      _ number: Int, descriptor: Int32, path: String
    ) throws(StorageError) -> MetaPage {
      do throws(EntryError) {
        return try MetaPage(descriptor: descriptor, number: number)
      } catch {
        throw .system(error.code, path: path)
      }
    }

    /// Checks the trees of the newest version, of a file that LMDB has opened and not read from yet.
    ///
    /// Returns nil when nothing was ever written to it.
    static func checkTrees(
      _ environment: EntryStore, path: String, _ extent: PageWalk.Extent
    ) throws(StorageError) -> CheckedTrees? {
      let transaction = try StorageError.describing(path) { () throws(EntryError) in
        try environment.beginReading()
      }
      // The pages of the version stay as long as this lasts.
      defer { transaction.abort() }
      return try checkTrees(of: transaction, path: path, extent)
    }

    /// Verifies the trees of the version of a read transaction.
    ///
    /// - Parameter map: That of LMDB, when it is known.
    static func checkTrees(
      of transaction: EntryTransaction, path: String, _ extent: PageWalk.Extent, map: UnsafeRawPointer? = nil
    ) throws(StorageError) -> CheckedTrees? {
      let descriptor = try StorageError.describing(path) { () throws(EntryError) in
        try transaction.environment.descriptor
      }
      for _ in 0..<renewals {
        let meta = try metaPage(Int(transaction.version & 1), descriptor: descriptor, path: path)
        if meta.version > transaction.version {
          // Another process, while this one only reads, has made two versions since.
          transaction.reset()
          try StorageError.describing(path) { () throws(EntryError) in try transaction.renew() }
          continue
        }
        if let fault = meta.fault { throw .damaged(path: path, fault) }
        return try checkTrees(
          meta, version: transaction.version, descriptor: descriptor, pageSize: LMDBPage.size, path: path,
          extent, map: map)
      }
      throw .damaged(
        path: path, "its meta page has another version than \(transaction.version), which LMDB reads")
    }

    /// More often than another process can commit twice while a read transaction begins and its meta page is read.
    private static let renewals = 10_000

    private static func checkTrees(
      _ meta: MetaPage, version: UInt64, descriptor: Int32, pageSize: Int, path: String,
      _ extent: PageWalk.Extent,
      map: UnsafeRawPointer?
    ) throws(StorageError) -> CheckedTrees? {
      if meta.main.root == TreeRecord.noPage && meta.freePages.root == TreeRecord.noPage { return nil }
      var information = stat()
      guard fstat(descriptor, &information) == 0 else { throw .system(errno, path: path) }
      let pageCount = min(Int(information.st_size) / pageSize, Int(meta.lastPage) + 1)
      var extent = extent
      // It may be cut off, which is to be known at once.
      if extent == .branches && pageCount <= meta.lastPage { extent = .pages }
      var ownMap: UnsafeMutableRawPointer?
      defer { if let ownMap { munmap(ownMap, pageCount * pageSize) } }
      if map == nil {
        ownMap = mmap(nil, pageCount * pageSize, PROT_READ, MAP_SHARED, descriptor, 0)
        if ownMap == MAP_FAILED {
          ownMap = nil
          throw .system(errno, path: path)
        }
        // The pages that are looked at lie far apart: the rest need not come with them.
        if extent == .branches { madvise(ownMap, pageCount * pageSize, MADV_RANDOM) }
      }
      var walk = PageWalk(
        map ?? UnsafeRawPointer(ownMap!), pageSize: pageSize, pageCount: pageCount, meta: meta, extent)
      do throws(PageWalk.Fault) {
        try walk.check(meta)
      } catch {
        if error.isBeyondEnd {
          let needed = (meta.lastPage + 1) * UInt64(pageSize)
          throw .invalid(
            path: path,
            "file is truncated (\(information.st_size) bytes instead of at least \(needed)).")
        }
        throw .damaged(path: path, error.reason)
      }
      return CheckedTrees(version: version, walk: walk, isComplete: extent != .branches)
    }
  #endif
}
