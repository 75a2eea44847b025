/// Takes what of a file has been found sound, in the order of tables, columns and rows.
protocol SoundValues: AnyObject {
  /// A value that is not null.
  func take(_ value: Value, table: Int, column: Int, row: Int)
  /// The elements of a collection that are left, in its order.
  ///
  /// - Parameter keys: Those of a map.
  func take(_ elements: [Value], keys: [String]?, table: Int, column: Int, row: Int)
}
