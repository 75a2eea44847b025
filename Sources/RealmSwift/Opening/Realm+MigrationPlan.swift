extension Realm {
  /// What opening a realm would do to its file. Neither the file is changed, nor the migration block called.
  ///
  /// A seed is not looked at: where there is no file yet, the plan is to make one.
  ///
  /// - Throws: `Realm.Error` when the file can not be read, or the classes can not be stored together.
  public static func migrationPlan(
    for configuration: Configuration = .defaultConfiguration
  ) throws -> MigrationPlan {
    try Opening.plan(configuration)
  }
}
