extension StudioRoute {
  /// Returns the routes of a server. Routes that change the file exist only when it was started to write.
  static func all(isWritable: Bool) -> [StudioRoute] {
    // `deletion` is no property, so that the routes for writing come first.
    file + (isWritable ? compacting + writing() : []) + reading
  }
}
