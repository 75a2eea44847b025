extension Realm {
  /// What opening a realm would do to its file. Neither the file is changed, nor the migration block called.
  ///
  /// Where there is no file yet, the plan is that for the seed; without one, to make a file.
  ///
  /// - Throws: `Realm.Error` when the file can not be read, or the classes can not be stored together.
  public static func migrationPlan(
    for configuration: Configuration = .defaultConfiguration
  ) throws -> MigrationPlan {
    try Opening.plan(configuration)
  }
}
