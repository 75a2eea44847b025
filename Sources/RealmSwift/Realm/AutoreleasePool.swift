#if !canImport(ObjectiveC)
  /// Runs a block and returns what it returns.
  ///
  /// Where there are autoreleased objects, such a pool lets go of those of its block. Here it lets go of the realms that
  /// were opened in it and would be kept until the turn ends, so that a file is closed as it is there.
  public func autoreleasepool<Failure: Error, Result: ~Copyable>(
    invoking body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let kept = Confinement.current.kept
    let mark = kept?.mark
    defer { if let mark { kept?.drain(since: mark) } }
    return try body()
  }
#endif
