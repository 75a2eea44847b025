import Storage

extension RealmCore {
  /// Whether it is a realm of the process that this one is a child of.
  var isInherited: Bool { generation != Fork.generation }

  /// Stops the program unless the realm is of this process. For what any thread may use.
  func checkProcess() {
    if isInherited { trap(.inheritedByFork(configuration.path)) }
  }
}
