/// Finds something again in another realm of the same file. It holds no realm itself.
public struct _Relocation: @unchecked Sendable {
  /// What it stands for in a realm; nil when it is not there. It captures only what any thread may read.
  let find: (RealmCore) -> Any?
  /// The row without which it is not there.
  var row: (table: Int, row: Int)?
  /// Whether it is a query on what belongs to that row.
  var isQuery = false
  /// Whether it can be used although its realm was invalidated, since it is evaluated again.
  var isEvaluatedAgain = false

  /// Stops the program: what is in memory only needs no reference.
  static func failUnmanaged() -> Never {
    trap("Cannot construct reference to unmanaged object, which can be passed across threads directly")
  }
}
