/// How the measurements reach the systems.
enum Systems {
  static var all: [any MeasuredDatabase.Type] {
    [OpenRealmSubject.self, SQLitePeer.self, LMDBPeer.self]
  }

  static func querying(_ name: String) throws -> any QueryingDatabase.Type {
    guard let type = all.first(where: { $0.system.rawValue == name }) as? any QueryingDatabase.Type else {
      throw BenchmarkError("There is no system \(name) with queries.")
    }
    return type
  }
}
