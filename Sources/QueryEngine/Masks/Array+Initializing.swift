extension Array {
  /// An array of that many elements, all of which `initialize` stores.
  ///
  /// Does nothing for none: `init(unsafeUninitializedCapacity:initializingWith:)` would write their number into the
  /// empty array that all threads share.
  @inline(__always)
  init(count: Int, _ initialize: (UnsafeMutablePointer<Element>) -> Void) {
    if count == 0 {
      self = []
      return
    }
    self.init(unsafeUninitializedCapacity: count) { buffer, initializedCount in
      initialize(buffer.baseAddress.unsafelyUnwrapped)
      initializedCount = count
    }
  }
}
