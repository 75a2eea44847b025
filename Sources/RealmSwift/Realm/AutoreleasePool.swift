#if !canImport(ObjectiveC)
  /// Runs a block and returns what it returns.
  ///
  /// Where there are autoreleased objects, such a pool releases those of its block. Here it releases the realms that were
  /// opened in it, or whose write was begun in it, and would be kept until the turn ends. A file is closed, and a write
  /// rolled back, as it is there, when nothing else refers to its realm.
  public func autoreleasepool<Failure: Error, Result: ~Copyable>(
    invoking body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let pool = KeptRealms.openPool()
    defer { KeptRealms.close(pool) }
    return try body()
  }
#endif
