import Sync

extension Kennel {
  /// Lets a role read the objects of a and b, and write those of a. Returns its connection.
  ///
  /// - Parameter column: The routing property that says whose an object is.
  func restrict(_ syncClass: SyncClass, by column: String, to role: String) throws -> PostgresConnection {
    let statements = ServerSchema(SyncModel(classes: [syncClass])).allow(
      syncClass, read: "\(column) = any ((select '{a,b}')::text[])",
      write: "\(column) = any ((select '{a}')::text[])")
    try connection.runScript("begin")
    for statement in statements { try connection.runScript(change(statement)) }
    try connection.commit()
    return try connect(as: role)
  }
}

/// A role that may read the objects of a and b, and write those of a.
extension MergeCase {
  private static func restrict(_ kennel: Kennel) throws -> PostgresConnection {
    try kennel.restrict(Kennel.dog, by: "owner", to: "kennel_ada")
  }

  static let policies = [
    MergeCase(
      "anEditThatAPolicyLeavesOutIsDenied", ["0 denied", "1 gone", "2 denied", "a", "b", "c"]
    ) { kennel, key in
      let ada = try restrict(kennel)
      try kennel.push(
        .created(key, at: 10, name: "a", owner: "b"), .created(key + 1, at: 10, name: "b", owner: "c"),
        .created(key + 2, at: 10, name: "c", owner: "b"))
      let outcome = try kennel.push(
        [
          .edited(key, name: ("x", 20)), .edited(key + 1, name: ("x", 20)), .deleted(key + 2, at: 20),
          .deleted(key + 1, at: 20),
        ], ada)
      return try outcome.map { "\(Int($0.split(separator: " ")[0])! - key) \($0.split(separator: " ")[1])" }
        + kennel.rows("select name from app.\"Dog\" where id between \(key) and \(key + 2) order by id")
    },
    MergeCase(
      "whatAPolicyForbidsIsRejectedAlone",
      ["0 rejected 42501", "1 rejected 42501", "2 rejected 42501", "a a", "c c", "good a"]
    ) { kennel, key in
      let ada = try restrict(kennel)
      try kennel.push(
        .created(key + 1, at: 10, name: "a", owner: "a"), .created(key + 2, at: 10, name: "c", owner: "c"))
      let outcome = try kennel.push(
        [
          .created(key, at: 20, name: "x", owner: "b"), .edited(key + 1, owner: ("c", 20)),
          .created(key + 2, at: 20, name: "x", owner: "a"),
          .created(key + 3, at: 20, name: "good", owner: "a"),
        ], ada)
      return try outcome.map {
        let words = $0.split(separator: " ")
        return "\(Int(words[0])! - key) \(words[1]) \(words[2])"
      }
        + kennel.rows(
          "select name, owner from app.\"Dog\" where id between \(key) and \(key + 3) order by name")
    },
    MergeCase("departuresAreSeenByThoseWhoSawTheObject", ["a", "b"]) { kennel, key in
      let ada = try restrict(kennel)
      try kennel.push(.created(key, at: 10, owner: "a"), .created(key + 1, at: 10, owner: "c"))
      try kennel.push(.edited(key, owner: ("b", 20)), .edited(key + 1, owner: ("d", 20)))
      try kennel.push(.deleted(key, at: 30), .deleted(key + 1, at: 30), .deleted(key + 2, at: 30))
      return try kennel.rows(
        "select owner from app.\"Dog$gone\" where id between \(key) and \(key + 2) order by owner", ada)
    },
  ]
}
