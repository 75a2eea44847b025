#if !canImport(ObjectiveC)
  /// Runs a block and returns what it returns.
  ///
  /// Where there are autoreleased objects, such a pool lets go of those of its block. Here it lets go of the realms that are
  /// kept until the turn ends, so that a file is closed as it is there.
  public func autoreleasepool<Failure: Error, Result: ~Copyable>(
    invoking body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { Confinement.current.kept?.drain() }
    return try body()
  }
#endif
