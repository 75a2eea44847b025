#if !canImport(ObjectiveC)
  /// Runs a block and returns what it returns.
  ///
  /// Where there are autoreleased objects, such a pool lets go of those of its block. Here everything is let go of when
  /// nothing refers to it any more, so that code for both needs no conditions.
  public func autoreleasepool<Failure: Error, Result: ~Copyable>(
    invoking body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body()
  }
#endif
