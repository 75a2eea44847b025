extension Realm {
  /// Returns what opening a realm would do to its file, without changing the file or calling the migration
  /// block.
  ///
  /// ```swift
  /// let plan = try Realm.migrationPlan(for: configuration)
  /// print(plan)
  /// ```
  ///
  /// If there is no file yet, the plan is that of the seed file; without a seed, the creation of a file.
  ///
  /// - Throws: `Realm.Error` if the file cannot be read, or if the classes cannot be stored together.
  public static func migrationPlan(
    for configuration: Configuration = .defaultConfiguration
  ) throws -> MigrationPlan {
    try Opening.plan(configuration)
  }
}
