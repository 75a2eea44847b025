#if !canImport(ObjectiveC)
  /// Runs a block and returns its result.
  ///
  /// On platforms with autoreleased objects, such a pool releases those of its block. Here it releases the
  /// realms that were opened in the block, or whose write transaction began in it, and that would otherwise
  /// be kept until the end of the run loop's turn. As on those platforms, a file is closed, and a write
  /// transaction rolled back, if nothing else refers to its realm.
  public func autoreleasepool<Failure: Error, Result: ~Copyable>(
    invoking body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let pool = KeptRealms.openPool()
    defer { KeptRealms.close(pool) }
    return try body()
  }
#endif
