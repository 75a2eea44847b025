import Sync

/// What pushes and SQL programs make of lists, and what roles may do with elements.
extension MergeCase {
  static let listElements = listEdits + listStamps + appending + elementPolicies

  private static func reasons(_ outcome: [String], _ key: Int) -> [String] {
    outcome.map { $0.replacing("\(key) ", with: "") }
  }

  static let listEdits = [
    MergeCase("positionAndValueMergeApart", ["1 90 b 30 20"]) { kennel, key in
      try kennel.push(
        people: [.person(key, at: 1)], [.note("i", key, 1, key: 0x80, "a", position: 10, content: 10)])
      try kennel.push([.note("u", key, 1, key: 0x90, position: 30)])
      return try kennel.push([.note("u", key, 1, "b", content: 20)]) + kennel.elements("notes", key)
    },
    MergeCase("theLaterMoveAndTheLaterValueWin", ["lost", "lost", "1 90 b 30 30"]) { kennel, key in
      try kennel.push(
        people: [.person(key, at: 1)], [.note("i", key, 1, key: 0x80, "a", position: 10, content: 10)])
      try kennel.push([.note("u", key, 1, key: 0x90, "b", position: 30, content: 30)])
      return try reasons(kennel.push([.note("u", key, 1, key: 0xa0, position: 20)]), key)
        + reasons(kennel.push([.note("u", key, 1, "c", content: 20)]), key) + kennel.elements("notes", key)
    },
    MergeCase("ofEqualStampsTheFirstMoveAndTheFirstValueWin", ["lost", "lost", "1 80 a 10 10"]) {
      kennel, key in
      try kennel.push(
        people: [.person(key, at: 1)], [.note("i", key, 1, key: 0x80, "a", position: 10, content: 10)])
      return try reasons(kennel.push([.note("u", key, 1, key: 0xa0, position: 10)]), key)
        + reasons(kennel.push([.note("u", key, 1, "c", content: 10)]), key) + kennel.elements("notes", key)
    },
    MergeCase("theRemovalOfAnElementBeatsLaterWrites", ["lost", "lost", "1 20"]) { kennel, key in
      try kennel.push(
        people: [.person(key, at: 1)], [.note("i", key, 1, key: 0x80, "a", position: 10, content: 10)])
      try kennel.push([.note("d", key, 1, position: 20)])
      return try reasons(kennel.push([.note("u", key, 1, "b", content: 30)]), key)
        + reasons(kennel.push([.note("i", key, 1, key: 0x80, "b", position: 40, content: 40)]), key)
        + kennel.elements("notes", key) + kennel.removals("notes", key)
    },
    MergeCase("theRemovalOfAnElementBeatsWritesThatCameBefore", ["1 20"]) { kennel, key in
      try kennel.push(
        people: [.person(key, at: 1)], [.note("i", key, 1, key: 0x80, "a", position: 50, content: 50)])
      return try kennel.push([.note("d", key, 1, position: 20)]).filter { !$0.hasSuffix("lost") }
        + kennel.elements("notes", key)
        + kennel.rows("select _el, 20 from app.\"Person.notes$gone\" where owner = \(key)")
    },
    MergeCase("aRemovedElementIsRememberedBeforeItsInsertionArrives", ["lost", "1 20"]) { kennel, key in
      try kennel.push(people: [.person(key, at: 1)], [.note("d", key, 1, position: 20)])
      return try reasons(
        kennel.push([.note("i", key, 1, key: 0x80, "a", position: 30, content: 30)]), key)
        + kennel.elements("notes", key) + kennel.removals("notes", key)
    },
    MergeCase("nullMayBeAnElementMoreThanOnce", ["1 80 - 10 10", "2 81 - 10 10"]) { kennel, key in
      try kennel.push(
        people: [.person(key, at: 1)],
        [
          .note("i", key, 1, key: 0x80, position: 10, content: 10),
          .note("i", key, 2, key: 0x81, position: 10, content: 10),
        ])
      return try kennel.elements("notes", key)
    },
    MergeCase("anInsertionThatIsPushedTwiceIsThereOnce", ["1 90 b 20 20"]) { kennel, key in
      try kennel.push(people: [.person(key, at: 1)])
      for _ in 1...2 {
        _ = try kennel.push([.note("i", key, 1, key: 0x80, "a", position: 10, content: 10)])
        _ = try kennel.push([.note("u", key, 1, key: 0x90, "b", position: 20, content: 20)])
      }
      return try kennel.elements("notes", key)
    },
    MergeCase("stampsOfListsFarAheadOfTheClockAreCut", ["t t"]) { kennel, key in
      let future = Int(Int64.max)
      try kennel.push(
        people: [.person(key, at: 1)], [.note("i", key, 1, key: 0x80, "a", position: 10, content: 10)])
      try kennel.push([.note("u", key, 1, "b", content: future)])
      return try kennel.rows(
        """
        select _ks = 10, _vs between realm.now_hlc() and realm.now_hlc() + (61000::bigint << 16)
          from app."Person.notes" where owner = \(key)
        """)
    },
  ]

  /// Stamps that SQL programs write, or have to be later than.
  static let listStamps = [
    MergeCase("stampsOfListsBelowZeroAreRaisedToIt", ["1 80 a 0 10", "2 81 b 10 0"]) { kennel, key in
      try kennel.push(
        people: [.person(key, at: 1)],
        [
          .note("i", key, 1, key: 0x80, "a", position: -9, content: 10),
          .note("i", key, 2, key: 0x81, "b", position: 10, content: -9),
        ])
      return try kennel.elements("notes", key)
    },
    MergeCase(
      "stampsOfListsOfAProgramThatTakesItselfForAClientAreCut", ["7 t 0", "8 10 t", "7 10 t", "8 0 10"]
    ) {
      kennel, key in
      try kennel.push(people: [.person(key, at: 1)])
      try kennel.connection.runScript(
        """
        begin; set local realm.push = 'on'; insert into app."Person.notes" (owner, _el, _key, value, _ks, _vs) values
          (\(key), 7, '\\x80', 'n', \(Int64.max), -5), (\(key), 8, '\\x81', 'n', 10, \(Int64.max)); commit
        """)
      let stamps = ["_ks", "_vs"].map {
        "case when \($0) between realm.now_hlc() and \(limit) then 't' else \($0)::text end"
      }
      let query =
        "select _el, \(stamps[0]), \(stamps[1]) from app.\"Person.notes\" where owner = \(key) order by 1"
      let inserted = try kennel.rows(query)
      try kennel.connection.runScript(
        """
        begin; set local realm.push = 'on'; update app."Person.notes" set _rx = pg_current_xact_id(),
          _ks = case _el when 7 then 10 else -5 end, _vs = case _el when 7 then \(Int64.max) else 10 end
          where owner = \(key); commit
        """)
      return try inserted + kennel.rows(query)
    },
    MergeCase("programsWriteElementsOfListsWithTheGreatestStamp", ["1 x t t", "2 t", "3 t"]) { kennel, key in
      try kennel.push(
        people: [.person(key, at: 1)],
        (1...3).map { .note("i", key, $0, key: 0x80 + $0, "a", position: 10, content: 10) })
      try kennel.connection.runScript(
        """
        begin; set local session_replication_role = replica;
        update app."Person.notes" set _ks = \(Int64.max), _vs = \(Int64.max) where owner = \(key); commit;
        update app."Person.notes" set value = 'x', _key = '\\x90' where owner = \(key) and _el = 1;
        delete from app."Person.notes" where owner = \(key) and _el = 2;
        begin; set local realm.push = 'on'; delete from app."Person.notes" where owner = \(key) and _el = 3; commit
        """)
      return try kennel.rows(
        "select _el, value, _ks < \(limit), _vs < \(limit) from app.\"Person.notes\" where owner = \(key)")
        + kennel.rows(
          "select _el, _died < \(limit) from app.\"Person.notes$gone\" where owner = \(key) order by 1")
    },
  ]

  static let appending = [
    MergeCase("insertionsBySQLAppendInTheirOrder", ["z", "a", "b", "c", "t"]) { kennel, key in
      try kennel.push(
        people: [.person(key, at: 1)], [.note("i", key, 1 << 40, key: 0x90, "z", position: 10, content: 10)])
      try kennel.connection.runScript(
        """
        insert into app."Person.notes" (owner, value) select \(key), v from unnest(array['a', 'b']) v;
        insert into app."Person.notes" (owner, value) values (\(key), 'c')
        """)
      return try kennel.rows("select value from app.\"Person.notes\" where owner = \(key) order by _key, _el")
        + kennel.rows(
          "select bool_and(_el < 1099511627776 or value = 'z') from app.\"Person.notes\" where owner = \(key)"
        )
    },
    MergeCase("manyElementsAreAppendedInOrder", ["t 2000"]) { kennel, key in
      try kennel.push(people: [.person(key, at: 1)])
      try kennel.connection.runScript(
        "insert into app.\"Person.notes\" (owner, value) select \(key), v from generate_series(1, 2000) v")
      return try kennel.rows(
        """
        select bool_and(n = value::int), count(distinct _key) from (select value, _key, row_number() over
          (order by _key, _el) n from app."Person.notes" where owner = \(key)) e
        """)
    },
    MergeCase("aKeyThatNoClientMadeIsAppendedTo", ["ffff fff0 40", "t t t"]) { kennel, key in
      try kennel.push(
        people: [.person(key, at: 1), .person(key + 1, at: 1), .person(key + 2, at: 1)],
        [
          .note("i", key, 1, key: 0xffff, "a", position: 10, content: 10),
          .note("i", key + 1, 1, key: 0xfff0, "a", position: 10, content: 10),
          .note("i", key + 2, 1, key: 0x40, "a", position: 10, content: 10),
        ])
      let keys = (0...2).map { key + $0 }
      let before = try keys.map {
        try kennel.rows("select encode(_key, 'hex') from app.\"Person.notes\" where owner = \($0)")[0]
      }
      let after = try keys.map {
        try kennel.connection.runScript("insert into app.\"Person.notes\" (owner, value) values (\($0), 'b')")
        return try kennel.rows(
          """
          select b._key > a._key from app."Person.notes" a, app."Person.notes" b
            where a.owner = \($0) and a.value = 'a' and b.owner = \($0) and b.value = 'b'
          """)[0]
      }
      return [before.joined(separator: " "), after.joined(separator: " ")]
    },
    MergeCase("anElementThatSQLChangesOrRemovesKeepsItsNumber", ["t t 1 t", "2 t"]) { kennel, key in
      let future = try kennel.connection.run("select realm.now_hlc() + (30000::bigint << 16)")[0].integer(0)
      let stamp = Int(future ?? 0)
      try kennel.push(
        people: [.person(key, at: 1)],
        [
          .note("i", key, 1, key: 0x80, "a", position: 10, content: stamp),
          .note("i", key, 2, key: 0x81, "b", position: 10, content: stamp),
        ])
      try kennel.connection.runScript(
        """
        update app."Person.notes" set value = 'x', _el = 99, _ks = 5 where owner = \(key) and _el = 1;
        delete from app."Person.notes" where owner = \(key) and _el = 2
        """)
      return try kennel.rows(
        "select _ks = 10, _vs = \(stamp) + 1, _el, value = 'x' from app.\"Person.notes\" where owner = \(key)"
      )
        + kennel.rows("select _el, _died = \(stamp) + 1 from app.\"Person.notes$gone\" where owner = \(key)")
    },
  ]

  private static func restrict(_ kennel: Kennel) throws -> PostgresConnection {
    try kennel.restrict(Kennel.person, by: "home", to: "kennel_eve")
  }

  static let elementPolicies = [
    MergeCase(
      "elementsOfAnOwnerThatMayNotBeWrittenAreDenied",
      ["1 denied", "1 denied", "2 gone", "a 10", "z 20", "a 10"]
    ) { kennel, key in
      let eve = try restrict(kennel)
      try kennel.push(
        people: zip(0..., ["a", "b", "c"]).map { .person(key + $0, at: 1, home: $1) },
        (0...2).map { .tag("i", key + $0, "a", at: 10) })
      let outcome = try kennel.push(
        [
          .tag("i", key, "z", at: 20), .tag("d", key + 1, "a", at: 20), .tag("i", key + 2, "z", at: 20),
          .note("i", key + 1, 7, key: 0x80, "n", position: 20, content: 20),
        ], eve)
      return try outcome.map { "\(Int($0.split(separator: " ")[0])! - key) \($0.split(separator: " ")[1])" }
        + kennel.elements("tags", key) + kennel.elements("tags", key + 1) + kennel.elements("notes", key + 1)
    },
    MergeCase("elementsAreSeenAsTheirOwnersAre", ["0 1", "0 1", "1"]) { kennel, key in
      let eve = try restrict(kennel)
      try kennel.push(
        people: zip(0..., ["a", "b", "c"]).map { .person(key + $0, at: 1, home: $1) },
        (0...2).flatMap { [.tag("i", key + $0, "a", at: 10), .tag("d", key + $0, "b", at: 10)] })
      let range = "owner between \(key) and \(key + 2)"
      let seen = try ["tags", "tags$gone"].map {
        try kennel.rows("select owner - \(key) from app.\"Person.\($0)\" where \(range) order by 1", eve)
          .joined(separator: " ")
      }
      return try seen
        + kennel.rows(
          "with gone as (delete from app.\"Person.tags\" where \(range) returning 1) select count(*) from gone",
          eve)
    },
    MergeCase("anElementOfAnOwnerThatMayNotBeWrittenIsNotAdded", ["42501", "42501"]) { kennel, key in
      let eve = try restrict(kennel)
      try kennel.push(people: [.person(key, at: 1, home: "b"), .person(key + 1, at: 1, home: "c")])
      var states: [String] = []
      for owner in [key, key + 1] {
        do throws(PostgresError) {
          try eve.runScript("insert into app.\"Person.tags\" (owner, value) values (\(owner), 'a')")
        } catch { states.append(error.sqlState ?? "") }
      }
      return states
    },
  ]
}
