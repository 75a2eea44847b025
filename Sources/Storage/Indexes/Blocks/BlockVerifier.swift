/// Verifies the blocks that a cursor reads, each when it is first touched. The snapshot that reads does.
protocol BlockVerifier: AnyObject {
  /// The blocks that have been verified.
  var checkedPlaces: CheckedPlaces { get }

  /// Returns what is wrong with a block, or nil.
  ///
  /// - Parameters:
  ///   - key: The block's key, if it is known.
  ///   - hasBytes: Whether its keys are bytes.
  func fault(
    inBlock bytes: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer?, index: UInt32, hasBytes: Bool
  ) -> String?

  /// Records damage of an index. Returns false where damage is not recorded.
  func noteDamage(ofIndex index: UInt32, _ fault: String) -> Bool

  /// Ends the program because of damage of an index.
  func stop(damagedIndex index: UInt32, _ fault: String) -> Never
}
