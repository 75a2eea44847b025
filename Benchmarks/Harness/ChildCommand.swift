/// What this program does when another run of itself, or a script, starts it.
enum ChildCommand {
  /// Whether the arguments were such a command.
  static func run(_ arguments: [String]) throws -> Bool {
    switch arguments.first {
    case OpeningWorkload.childCommand where arguments.count == 4:
      let type = try Systems.querying(arguments[1])
      guard let id = Int(arguments[3]) else { throw BenchmarkError("\(arguments[3]) is not an id.") }
      let dog = try type.openAndRead(dog: id, at: arguments[2])
      print(dog.seconds, dog.name, dog.age)
      return true
    case OpenRealmMemory.childCommand where arguments.count == 4:
      try OpenRealmMemory.runChild(arguments)
      return true
    case OtherProcess.childCommand where arguments.count == 3:
      try OtherProcess.runChild(arguments)
      return true
    case MigrationMeasurements.childCommand where arguments.count == 3:
      try MigrationMeasurements.runChild(arguments)
      return true
    case FirstReads.childCommand where arguments.count == 3:
      try FirstReads.runChild(arguments)
      return true
    case SQLiteTransfer.importCommand where arguments.count == 3:
      try SQLiteTransfer.importCSV(arguments[1], to: arguments[2])
      return true
    case SQLiteTransfer.exportCommand where arguments.count == 3:
      try SQLiteTransfer.exportCSV(arguments[1], to: arguments[2])
      return true
    case Comparison.command where arguments.count == 2:
      print(try Comparison(directory: arguments[1]).table())
      return true
    default:
      return false
    }
  }
}
