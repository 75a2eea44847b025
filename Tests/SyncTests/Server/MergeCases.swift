import Sync

/// A short story of pushes and SQL programs, and what it ends with.
struct MergeCase: Sendable, CustomStringConvertible {
  let description: String
  let expected: [String]
  /// Tells the story with a key of its own, and returns what came out.
  let run: @Sendable (Kennel, Int) throws -> [String]

  init(_ name: String, _ expected: [String], _ run: @escaping @Sendable (Kennel, Int) throws -> [String]) {
    description = name
    self.expected = expected
    self.run = run
  }

  static let all = edits + deletions + creations + counters + stamps
}

extension MergeCase {
  private static let edits = [
    MergeCase("theLaterEditWins", ["7 lost", "b 0 0 - 10 {20,NULL,NULL,NULL}"]) { kennel, key in
      try kennel.push(.created(key, at: 10, name: "a"))
      try kennel.push(.edited(key, name: ("b", 20)))
      return try kennel.push(.edited(key, name: ("c", 15))).map { $0.replacing("\(key)", with: "7") }
        + kennel.dog(key)
    },
    MergeCase("editsOfDifferentPropertiesMerge", ["b 3 0 - 10 {20,15,NULL,NULL}"]) { kennel, key in
      try kennel.push(.created(key, at: 10, name: "a"))
      return try kennel.push(.edited(key, name: ("b", 20))) + kennel.push(.edited(key, age: (3, 15)))
        + kennel.dog(key)
    },
    MergeCase("ofEqualStampsTheFirstArrivedWins", ["b 0 0 - 10 {20,NULL,NULL,NULL}"]) { kennel, key in
      try kennel.push(.created(key, at: 10, name: "a"))
      try kennel.push(.edited(key, name: ("b", 20)))
      try kennel.push(.edited(key, name: ("c", 20)))
      return try kennel.dog(key)
    },
    MergeCase("anEditThatLostDoesNotLowerTheStamp", ["a 0 0 - 100 {NULL,NULL,NULL,NULL}"]) { kennel, key in
      try kennel.push(.created(key, at: 100, name: "a"))
      try kennel.push(.edited(key, name: ("b", 50)))
      try kennel.push(.edited(key, name: ("c", 60)))
      return try kennel.dog(key)
    },
    MergeCase("nullIsAValue", ["a 0 0 - 10 {NULL,NULL,NULL,20}"]) { kennel, key in
      try kennel.push(.created(key, at: 10, name: "a", owner: "x"))
      try kennel.push(.edited(key, owner: (nil, 20)))
      return try kennel.dog(key)
    },
    MergeCase("whatIsPushedTwiceIsThereOnce", ["b 3 0 y 10 {20,NULL,NULL,30}", "x -"]) { kennel, key in
      for _ in 1...2 {
        try kennel.push(.created(key, at: 10, name: "a", age: 3, owner: "x"))
        try kennel.push(.edited(key, name: ("b", 20), owner: ("y", 30)))
      }
      let dog = try kennel.dog(key).map { $0.replacing("{20,10,NULL,30}", with: "{20,NULL,NULL,30}") }
      return try dog + kennel.departures(key)
    },
  ]

  private static let deletions = [
    MergeCase("aDeletionWinsOverALaterEdit", ["gone", "- 20"]) { kennel, key in
      try kennel.push(.created(key, at: 10))
      try kennel.push(.deleted(key, at: 20))
      return try kennel.push(.edited(key, name: ("b", 30))).map { $0.replacing("\(key) ", with: "") }
        + kennel.dog(key) + kennel.departures(key)
    },
    MergeCase("aDeletionWinsOverAnEditMadeBeforeIt", ["- 20"]) { kennel, key in
      try kennel.push(.created(key, at: 10))
      try kennel.push(.edited(key, name: ("b", 30)))
      return try kennel.push(.deleted(key, at: 20)) + kennel.dog(key) + kennel.departures(key)
    },
    MergeCase("aDeletionLosesAgainstALaterCreation", ["lost", "b 0 0 - 30 -"]) { kennel, key in
      try kennel.push(.created(key, at: 30, name: "b"))
      return try kennel.push(.deleted(key, at: 20)).map { $0.replacing("\(key) ", with: "") }
        + kennel.dog(key)
    },
    MergeCase("aCreationAfterADeletionMakesANewObject", ["c 0 0 - 30 -"]) { kennel, key in
      try kennel.push(.created(key, at: 10, name: "a", age: 5))
      try kennel.push(.deleted(key, at: 20))
      return try kennel.push(.created(key, at: 30, name: "c")) + kennel.dog(key)
    },
    MergeCase("aCreationFromBeforeTheDeletionIsLost", ["lost", "- 20"]) { kennel, key in
      try kennel.push(.created(key, at: 10))
      try kennel.push(.deleted(key, at: 20))
      return try kennel.push(.created(key, at: 15)).map { $0.replacing("\(key) ", with: "") }
        + kennel.dog(key)
        + kennel.departures(key)
    },
    MergeCase("aDeletionIsRememberedForAKeyThatIsNotThere", ["- 20"]) { kennel, key in
      try kennel.push(.deleted(key, at: 20))
      try kennel.push(.created(key, at: 15))
      return try kennel.dog(key) + kennel.departures(key)
    },
    MergeCase("aLaterDeletionRaisesTheStampOfTheDeparture", ["a 40"]) { kennel, key in
      try kennel.push(.created(key, at: 10, owner: "a"))
      try kennel.push(.deleted(key, at: 20))
      try kennel.push(.deleted(key, at: 40), .deleted(key + 1, at: 1))
      try kennel.push(.deleted(key, at: 30))
      try kennel.push(.created(key, at: 35))
      return try kennel.dog(key) + kennel.departures(key)
    },
    MergeCase("aKeyIsDeletedAndCreatedInOnePush", ["c 0 0 - 21 -", "- 20"]) { kennel, key in
      try kennel.push(.created(key, at: 10, name: "a", age: 5))
      try kennel.push(.deleted(key, at: 20), .created(key, at: 21, name: "c"))
      return try kennel.dog(key) + kennel.departures(key)
    },
  ]

  private static let creations = [
    MergeCase("objectsCreatedWithOneKeyAreOne", ["b 2 5 - 20 {20,20,NULL,20}", "b 2 9 - 20 {20,20,NULL,20}"])
    {
      kennel, key in
      try kennel.push(.created(key, at: 10, name: "a", age: 1, likes: 2))
      try kennel.push(.created(key, at: 20, name: "b", age: 2, likes: 3))
      let first = try kennel.dog(key)
      try kennel.push(.created(key, at: 5, name: "c", age: 3, likes: 4))
      return try first + kennel.dog(key)
    },
    MergeCase(
      "aPropertyThatTheClientDoesNotKnowKeepsItsValue", ["b 5 0 - 20 {20,10,NULL,20}", "c 0 0 - 10 {NULL,0}"]
    ) { kennel, key in
      try kennel.push(.created(key, at: 10, name: "a", age: 5))
      let known = "_op, id, name, _at, _st"
      try kennel.push(Input(columns: known, values: "'i', \(key), 'b', 20, '{null,0}'"))
      try kennel.push(Input(columns: known, values: "'i', \(key + 1), 'c', 10, '{null,0}'"))
      return try kennel.dog(key) + kennel.dog(key + 1)
    },
    MergeCase("aRowThatCameInSaysSo", ["t t", "t f", "t t", "t t"]) { kennel, key in
      let query = "select _rx = pg_current_xact_id(), _rin = _rx from app.\"Dog\" where id = \(key)"
      var results: [String] = []
      for input in [
        Input.created(key, at: 10, owner: "a"), .edited(key, name: ("b", 20)), .edited(key, owner: ("b", 30)),
        .created(key, at: 5),
      ] {
        let push = "select realm.begin_push(); select app.\"Dog$stage\"(); insert into pg_temp.\"Dog$in\" "
        try results += kennel.rows(
          "begin; \(push) (\(input.columns)) values (\(input.values)); select realm.apply('Dog'); \(query)")
        try kennel.connection.commit()
      }
      return results
    },
  ]

  private static let counters = [
    MergeCase("differencesOfCountersAddUp", ["a 0 6 - 10 {NULL,NULL,NULL,NULL}"]) { kennel, key in
      try kennel.push(.created(key, at: 10, name: "a", likes: 1))
      return try kennel.push(.edited(key, likes: 2)) + kennel.push(.edited(key, likes: 3)) + kennel.dog(key)
    },
    MergeCase("aCounterAddsAlsoWhenTheOtherPropertiesLose", ["b 0 3 - 10 {20,NULL,NULL,NULL}"]) {
      kennel, key in
      try kennel.push(.created(key, at: 10, name: "a"))
      try kennel.push(.edited(key, name: ("b", 20), likes: 1))
      try kennel.push(.edited(key, name: ("c", 15), likes: 2))
      return try kennel.dog(key)
    },
  ]

  private static let stamps = [
    MergeCase("stampsFarAheadOfTheClockAreCutAndMissingOnesStayMissing", ["b 7", "t t t"]) { kennel, key in
      let future = Int(Int64.max)
      try kennel.push(.created(key, at: 10, name: "a", age: 7))
      try kennel.push(.edited(key, name: ("b", future)))
      try kennel.push(.created(key + 1, at: future))
      let limit = "realm.now_hlc() + (60000::bigint << 16)"
      return try kennel.rows("select name, age from app.\"Dog\" where id = \(key)")
        + kennel.rows(
          """
          select a._st[1] between realm.now_hlc() and \(limit), a._st[2] is null,
            b._at between realm.now_hlc() and \(limit)
            from app."Dog" a, app."Dog" b where a.id = \(key) and b.id = \(key + 1)
          """)
    },
    MergeCase(
      "stampsBelowZeroAreRaisedToIt", ["a 0 0 - 0 {NULL,NULL,NULL,NULL}", "b 0 0 - 0 {5,0,NULL,NULL}", "- 0"]
    ) {
      kennel, key in
      try kennel.push(
        .created(key, at: -9, name: "a"),
        .created(key + 1, at: 0, name: "b", stamps: "'{5,-9,null,null}'"), .deleted(key + 2, at: -9))
      try kennel.push(.edited(key, name: ("c", -5)))
      return try kennel.dog(key) + kennel.dog(key + 1) + kennel.departures(key + 2)
    },
    MergeCase("deletionsFarAheadOfTheClockAreCut", ["t"]) { kennel, key in
      try kennel.connection.runScript("select app.\"Dog$bury\"(array[\(key)], array[\(Int64.max)])")
      return try kennel.rows(
        "select _died < realm.now_hlc() + (61000::bigint << 16) from app.\"Dog$gone\" where id = \(key)")
    },
  ]
}
