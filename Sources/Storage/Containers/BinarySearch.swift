extension Range where Bound: FixedWidthInteger {
  /// The first number for which a predicate holds, which must not hold before it and must hold from it on; the upper
  /// bound when it holds for none. Takes logarithmic time.
  ///
  /// The name is that of Swift Algorithms. Other layers get a copy of their own: the compiler inlines into them what is
  /// public, and not what is merely `@inlinable package`.
  @_alwaysEmitIntoClient @inline(__always)
  package func partitioningIndex<Failure>(
    where isAtOrAfter: (Bound) throws(Failure) -> Bool
  ) throws(Failure) -> Bound {
    var low = lowerBound
    var high = upperBound
    while low < high {
      let middle = low &+ (high &- low) / 2
      if try isAtOrAfter(middle) { high = middle } else { low = middle &+ 1 }
    }
    return low
  }
}
