enum ThreadSafety {
  /// Stops the program: what is in memory only needs no reference.
  static func failUnmanaged() -> Never {
    trap("Cannot construct reference to unmanaged object, which can be passed across threads directly")
  }
}
