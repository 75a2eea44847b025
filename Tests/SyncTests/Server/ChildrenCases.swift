import Sync

/// What pushes and SQL programs make of sets and maps.
extension MergeCase {
  static let children = sets + owners + maps + foreignElements + refusedElements

  /// The outcome without the key of the story.
  private static func reasons(_ outcome: [String], _ key: Int) -> [String] {
    outcome.map { $0.replacing("\(key) ", with: "") }
  }

  static let sets = [
    MergeCase("theLaterOfAdditionAndRemovalWins", ["lost", "a 20", "a 30"]) { kennel, key in
      try kennel.push(people: [.person(key, at: 1)], [.tag("i", key, "a", at: 10)])
      try kennel.push([.tag("d", key, "a", at: 20)])
      let lost = try reasons(kennel.push([.tag("i", key, "a", at: 15)]), key)
      let removed = try kennel.elements("tags", key) + kennel.removals("tags", key)
      try kennel.push([.tag("i", key, "a", at: 30)])
      return try lost + removed + kennel.elements("tags", key)
    },
    MergeCase("aRemovalFromBeforeTheAdditionLoses", ["lost", "a 20"]) { kennel, key in
      try kennel.push(people: [.person(key, at: 1)], [.tag("i", key, "a", at: 20)])
      return try reasons(kennel.push([.tag("d", key, "a", at: 15)]), key) + kennel.elements("tags", key)
    },
    MergeCase("aRemovalIsRememberedForAnElementThatIsNotThere", ["lost", "a 20"]) { kennel, key in
      try kennel.push(people: [.person(key, at: 1)], [.tag("d", key, "a", at: 20)])
      return try reasons(kennel.push([.tag("i", key, "a", at: 15)]), key) + kennel.elements("tags", key)
        + kennel.removals("tags", key)
    },
    MergeCase("ofEqualStampsTheRemovalWins", ["lost"]) { kennel, key in
      try kennel.push(people: [.person(key, at: 1)], [.tag("i", key, "a", at: 20)])
      try kennel.push([.tag("d", key, "a", at: 20)])
      return try reasons(kennel.push([.tag("i", key, "a", at: 20)]), key) + kennel.elements("tags", key)
    },
    MergeCase("aLaterAdditionRaisesTheStampAndAnEarlierOneDoesNotLowerIt", ["a 20", "a 20"]) {
      kennel, key in
      try kennel.push(people: [.person(key, at: 1)], [.tag("i", key, "a", at: 10)])
      try kennel.push([.tag("i", key, "a", at: 20)])
      let first = try kennel.elements("tags", key)
      try kennel.push([.tag("i", key, "a", at: 15)])
      return try first + kennel.elements("tags", key)
    },
    MergeCase("pushesOfOneOwnersElementsWaitForEachOther", ["55P03", "lost", "a 20"]) { kennel, key in
      try kennel.push(people: [.person(key, at: 1)])
      let removal = try kennel.beginPush(.tag("d", key, "a", at: 20))
      var states: [String] = []
      do {
        try kennel.beginPush(.tag("i", key, "a", at: 15)).close()
      } catch let error as PostgresError {
        states.append(error.sqlState ?? "")
      }
      try removal.commit()
      removal.close()
      return try states + reasons(kennel.push([.tag("i", key, "a", at: 15)]), key)
        + kennel.elements("tags", key) + kennel.removals("tags", key)
    },
    MergeCase("nullIsOneElement", ["- 20", "lost", "a 10", "- 30"]) { kennel, key in
      try kennel.push(
        people: [.person(key, at: 1)], [.mood("i", key, nil, at: 10), .mood("i", key, "a", at: 10)])
      try kennel.push([.mood("i", key, nil, at: 20)])
      let once = try kennel.elements("moods", key).filter { $0.hasPrefix("-") }
      try kennel.push([.mood("d", key, nil, at: 30)])
      return try once + reasons(kennel.push([.mood("i", key, nil, at: 25)]), key)
        + kennel.elements("moods", key) + kennel.removals("moods", key)
    },
    MergeCase("equalElementsOfOnePushAreOne", ["a 20"]) { kennel, key in
      try kennel.push(
        people: [.person(key, at: 1)], [.tag("i", key, "a", at: 10), .tag("i", key, "a", at: 20)])
      return try kennel.elements("tags", key)
    },
    MergeCase("elementsThatArePushedTwiceAreThereOnce", ["b 20", "a 20"]) { kennel, key in
      for _ in 1...2 {
        try kennel.push(people: [.person(key, at: 1)], [.tag("i", key, "a", at: 10)])
        try kennel.push([.tag("d", key, "a", at: 20), .tag("i", key, "b", at: 20)])
      }
      return try kennel.elements("tags", key) + kennel.removals("tags", key)
    },
    MergeCase("stampsOfElementsFarAheadOfTheClockAreCut", ["t", "t"]) { kennel, key in
      let future = Int(Int64.max)
      try kennel.push(
        people: [.person(key, at: 1)], [.tag("i", key, "a", at: future), .tag("d", key, "b", at: future)])
      let limit = "< realm.now_hlc() + (61000::bigint << 16)"
      return try kennel.rows("select _at \(limit) from app.\"Person.tags\" where owner = \(key)")
        + kennel.rows("select _died \(limit) from app.\"Person.tags$gone\" where owner = \(key)")
    },
    MergeCase("stampsOfElementsBelowZeroAreRaisedToIt", ["a 0", "b 0"]) { kennel, key in
      try kennel.push(
        people: [.person(key, at: 1)], [.tag("i", key, "a", at: -9), .tag("d", key, "b", at: -9)])
      return try kennel.elements("tags", key) + kennel.removals("tags", key)
    },
    MergeCase("removalsFarAheadOfTheClockAreCut", ["t"]) { kennel, key in
      try kennel.push(people: [.person(key, at: 1)])
      try kennel.connection.runScript(
        "select app.\"Person.tags$bury\"(array[\(key)], array['a'], array[\(Int64.max)])")
      return try kennel.rows(
        """
        select _died < realm.now_hlc() + (61000::bigint << 16) from app."Person.tags$gone" where owner = \(key)
        """)
    },
    MergeCase("propertiesBesideCollectionsKeepTheirStamps", ["7 {NULL,NULL,NULL,NULL,NULL,NULL,NULL,20}"]) {
      kennel, key in
      try kennel.push(people: [.person(key, at: 1)])
      try kennel.push(
        people: [
          Input(
            columns: "_op, id, age, _st", values: "'u', \(key), 7, '{null,null,null,null,null,null,null,20}'")
        ])
      try kennel.connection.runScript("update app.\"Person\" set name = name where id = \(key)")
      return try kennel.rows("select age, _st from app.\"Person\" where id = \(key)")
    },
  ]

  static let owners = [
    MergeCase("elementsGoWithTheirOwnerWithoutDeparturesOfTheirOwn", ["0 0 0 0", "0 0 0"]) { kennel, key in
      try kennel.push(
        people: [.person(key, at: 10)],
        [
          .tag("i", key, "a", at: 10), .mood("i", key, nil, at: 10), .score("i", key, "k", 1, at: 10),
          .note("i", key, 7, key: 0x80, "n", position: 10, content: 10),
        ])
      try kennel.push(people: [.deleted(key, at: 20)])
      func counts(_ names: [String]) -> String {
        "select "
          + names.map { "(select count(*) from app.\"Person.\($0)\" where owner = \(key))" }
          .joined(separator: ", ")
      }
      return try kennel.rows(counts(["tags", "moods", "scores", "notes"]))
        + kennel.rows(counts(["tags$gone", "scores$gone", "notes$gone"]))
    },
    MergeCase("elementsOfAnOwnerThatIsGoneAreDropped", ["gone", "gone"]) { kennel, key in
      try kennel.push(people: [.person(key, at: 10)])
      try kennel.push(people: [.deleted(key, at: 20)])
      return try reasons(kennel.push([.tag("i", key, "a", at: 30)]), key)
        + reasons(kennel.push([.note("i", key, 7, key: 0x80, "n", position: 30, content: 30)]), key)
        + kennel.elements("tags", key) + kennel.elements("notes", key)
    },
    MergeCase("elementsOfAFormerObjectWithTheKeyAreDropped", ["lost", "lost", "lost", "c 30"]) {
      kennel, key in
      try kennel.push(people: [.person(key, at: 10)], [.tag("i", key, "a", at: 12)])
      try kennel.push(people: [.deleted(key, at: 20), .person(key, at: 25)], [.tag("i", key, "c", at: 30)])
      return try reasons(kennel.push([.tag("i", key, "b", at: 20)]), key)
        + reasons(kennel.push([.score("i", key, "k", 1, at: 20)]), key)
        + reasons(kennel.push([.note("i", key, 7, key: 0x80, "n", position: 20, content: 20)]), key)
        + kennel.elements("tags", key) + kennel.elements("scores", key) + kennel.elements("notes", key)
    },
    MergeCase("anElementOfAFormerObjectThatIsEditedIsDropped", ["lost", "new 31 31"]) { kennel, key in
      let insertion = (key: 0x80, position: 12)
      try kennel.push(
        people: [.person(key, at: 10)],
        [.note("i", key, 7, key: insertion.key, "n", position: insertion.position, content: 12)])
      try kennel.push(people: [.deleted(key, at: 20), .person(key, at: 25)])
      // Its maker has not received the deletion, and sends the insertion again with the later value.
      let outcome = try kennel.push([
        .note("i", key, 7, key: insertion.key, "edited", position: insertion.position, content: 30),
        .note("i", key, 8, key: 0x81, "new", position: 31, content: 31),
      ])
      return try reasons(outcome, key)
        + kennel.rows("select value, _ks, _vs from app.\"Person.notes\" where owner = \(key)")
    },
    MergeCase("insertionsThatARestoredServerLacksAreTakenAgain", ["b 12 30"]) { kennel, key in
      try kennel.push(people: [.person(key, at: 10)])
      return try kennel.push([.note("i", key, 7, key: 0x80, "b", position: 12, content: 30)])
        + kennel.rows("select value, _ks, _vs from app.\"Person.notes\" where owner = \(key)")
    },
    MergeCase("objectsThatWereCreatedWithOneKeyHaveTheElementsOfBoth", ["a 10", "b 20"]) { kennel, key in
      try kennel.push(people: [.person(key, at: 10)], [.tag("i", key, "a", at: 10)])
      try kennel.push(people: [.person(key, at: 20)], [.tag("i", key, "b", at: 20)])
      return try kennel.elements("tags", key)
    },
    MergeCase("elementsFollowAKeyThatSQLChanges", ["a t", "k 1 t", "n t", "0"]) { kennel, key in
      try kennel.push(
        people: [.person(key, at: 10)],
        [
          .tag("i", key, "a", at: 10), .score("i", key, "k", 1, at: 10),
          .note("i", key, 7, key: 0x80, "n", position: 10, content: 10),
        ])
      try kennel.connection.runScript("update app.\"Person\" set id = \(key + 1) where id = \(key)")
      return try kennel.rows("select value, _at > 1000 from app.\"Person.tags\" where owner = \(key + 1)")
        + kennel.rows("select key, value, _at > 1000 from app.\"Person.scores\" where owner = \(key + 1)")
        + kennel.rows("select value, _ks > 1000 from app.\"Person.notes\" where owner = \(key + 1)")
        + kennel.rows("select count(*) from app.\"Person.tags$gone\" where owner = \(key)")
    },
  ]

  static let maps = [
    MergeCase("theLaterWriteOfAKeyWins", ["lost", "k 2 20"]) { kennel, key in
      try kennel.push(people: [.person(key, at: 1)], [.score("i", key, "k", 1, at: 10)])
      try kennel.push([.score("i", key, "k", 2, at: 20)])
      return try reasons(kennel.push([.score("i", key, "k", 3, at: 15)]), key)
        + kennel.elements("scores", key)
    },
    MergeCase("ofEqualStampsTheFirstWriteOfAKeyWins", ["lost", "k 1 10"]) { kennel, key in
      try kennel.push(people: [.person(key, at: 1)], [.score("i", key, "k", 1, at: 10)])
      return try reasons(kennel.push([.score("i", key, "k", 2, at: 10)]), key)
        + kennel.elements("scores", key)
    },
    MergeCase("keysMergeOneByOne", ["a 1 10", "b 2 5"]) { kennel, key in
      try kennel.push(people: [.person(key, at: 1)], [.score("i", key, "a", 1, at: 10)])
      return try kennel.push([.score("i", key, "b", 2, at: 5)]) + kennel.elements("scores", key)
    },
    MergeCase("theRemovalOfAKeyWinsOverEarlierWrites", ["lost", "k 20", "k 3 30"]) { kennel, key in
      try kennel.push(people: [.person(key, at: 1)], [.score("i", key, "k", 1, at: 10)])
      try kennel.push([.score("d", key, "k", at: 20)])
      let lost = try reasons(kennel.push([.score("i", key, "k", 2, at: 15)]), key)
      let removed = try kennel.elements("scores", key) + kennel.removals("scores", key)
      try kennel.push([.score("i", key, "k", 3, at: 30)])
      return try lost + removed + kennel.elements("scores", key)
    },
  ]

  static let foreignElements = [
    MergeCase("anElementThatSQLRemovesDeparts", ["a t", "lost"]) { kennel, key in
      try kennel.push(people: [.person(key, at: 1)], [.tag("i", key, "a", at: 10)])
      try kennel.connection.runScript("delete from app.\"Person.tags\" where owner = \(key)")
      return try kennel.rows("select value, _died > 1000 from app.\"Person.tags$gone\" where owner = \(key)")
        + reasons(kennel.push([.tag("i", key, "a", at: 20)]), key) + kennel.elements("tags", key)
    },
    MergeCase("anElementThatSQLAddsIsLaterThanItsRemoval", ["a t", "- t"]) { kennel, key in
      let future = try kennel.connection.run("select realm.now_hlc() + (30000::bigint << 16)")[0].integer(0)
      try kennel.push(
        people: [.person(key, at: 1)],
        [.tag("d", key, "a", at: Int(future ?? 0)), .mood("d", key, nil, at: Int(future ?? 0))])
      try kennel.connection.runScript(
        """
        insert into app."Person.tags" (owner, value) values (\(key), 'a');
        insert into app."Person.moods" (owner, value) values (\(key), null)
        """)
      return try ["tags", "moods"].flatMap {
        try kennel.rows(
          "select value, _at = \(future ?? 0) + 1 from app.\"Person.\($0)\" where owner = \(key)")
      }
    },
    MergeCase("anElementThatSQLRemovesWasSeenByIt", ["a t"]) { kennel, key in
      let future = try kennel.connection.run("select realm.now_hlc() + (30000::bigint << 16)")[0].integer(0)
      try kennel.push(people: [.person(key, at: 1)], [.tag("i", key, "a", at: Int(future ?? 0))])
      try kennel.connection.runScript("delete from app.\"Person.tags\" where owner = \(key)")
      return try kennel.rows(
        "select value, _died = \(future ?? 0) + 1 from app.\"Person.tags$gone\" where owner = \(key)")
    },
    MergeCase("anEntryThatSQLWritesWinsOverWhatItSaw", ["k 5 t t", "lost"]) { kennel, key in
      let future = try kennel.connection.run("select realm.now_hlc() + (30000::bigint << 16)")[0].integer(0)
      try kennel.push(people: [.person(key, at: 1)], [.score("i", key, "k", 1, at: Int(future ?? 0))])
      try kennel.connection.runScript(
        "update app.\"Person.scores\" set value = 5, _rx = '9999999999' where owner = \(key)")
      let written = try kennel.rows(
        """
        select key, value, _at = \(future ?? 0) + 1, _rx <> '9999999999' from app."Person.scores" where owner = \(key)
        """)
      return try written + reasons(kennel.push([.score("i", key, "k", 2, at: Int(future ?? 0))]), key)
    },
    MergeCase("anElementThatSQLChangesIsAnother", ["b t", "a t", "b t"]) { kennel, key in
      let future = try kennel.connection.run("select realm.now_hlc() + (30000::bigint << 16)")[0].integer(0)
      try kennel.push(
        people: [.person(key, at: 1)],
        [.tag("i", key, "a", at: 10), .tag("d", key, "b", at: Int(future ?? 0))])
      try kennel.connection.runScript("update app.\"Person.tags\" set value = 'b' where owner = \(key)")
      return try kennel.rows(
        "select value, _at = \(future ?? 0) + 1 from app.\"Person.tags\" where owner = \(key)")
        + kennel.rows(
          "select value, _died > 1000 from app.\"Person.tags$gone\" where owner = \(key) order by 1")
    },
    MergeCase(
      "stampsOfElementsOfAProgramThatTakesItselfForAClientAreCut", ["a t", "b 0", "k t", "l 0", "t"]
    ) { kennel, key in
      try kennel.push(people: [.person(key, at: 1)])
      try kennel.connection.runScript(
        """
        begin; set local realm.push = 'on';
        insert into app."Person.tags" (owner, value, _at) values (\(key), 'a', \(Int64.max)), (\(key), 'b', -5);
        insert into app."Person.scores" (owner, key, value, _at) values (\(key), 'k', 1, 10), (\(key), 'l', 1, 10); commit;
        begin; set local realm.push = 'on';
        update app."Person.scores" set _at = case key when 'k' then \(Int64.max) else -5 end, _rx = pg_current_xact_id()
          where owner = \(key); commit
        """)
      let stamp = "case when _at between realm.now_hlc() and \(limit) then 't' else _at::text end"
      let found =
        try kennel.rows("select value, \(stamp) from app.\"Person.tags\" where owner = \(key) order by 1")
        + kennel.rows("select key, \(stamp) from app.\"Person.scores\" where owner = \(key) order by 1")
      try kennel.connection.runScript(
        "begin; set local realm.push = 'on'; delete from app.\"Person.tags\" where owner = \(key); commit")
      return try found
        + kennel.rows("select bool_and(_died < \(limit)) from app.\"Person.tags$gone\" where owner = \(key)")
    },
    MergeCase("programsWriteElementsWithTheGreatestStamp", ["x t", "z t", "k 5 t", "t 3"]) { kennel, key in
      try kennel.push(
        people: [.person(key, at: 1)],
        ["a", "b", "c"].map { .tag("i", key, $0, at: 10) } + [.score("i", key, "k", 1, at: 10)])
      try kennel.connection.runScript(
        """
        begin; set local session_replication_role = replica;
        update app."Person.tags" set _at = \(Int64.max) where owner = \(key);
        update app."Person.scores" set _at = \(Int64.max) where owner = \(key);
        insert into app."Person.tags$gone" (owner, value, _died) values (\(key), 'z', \(Int64.max)); commit;
        update app."Person.tags" set value = 'x' where owner = \(key) and value = 'a';
        insert into app."Person.tags" (owner, value) values (\(key), 'z');
        delete from app."Person.tags" where owner = \(key) and value = 'b';
        update app."Person.scores" set value = 5 where owner = \(key);
        begin; set local realm.push = 'on'; delete from app."Person.tags" where owner = \(key) and value = 'c'; commit
        """)
      return try kennel.rows(
        "select value, _at < \(limit) from app.\"Person.tags\" where owner = \(key) order by 1")
        + kennel.rows("select key, value, _at < \(limit) from app.\"Person.scores\" where owner = \(key)")
        + kennel.rows(
          "select bool_and(_died < \(limit)), count(*) from app.\"Person.tags$gone\" where owner = \(key) and value < 'd'"
        )
    },
    MergeCase("anElementNeedsItsOwner", ["23503"]) { kennel, key in
      do throws(PostgresError) {
        try kennel.connection.runScript("insert into app.\"Person.tags\" (owner, value) values (\(key), 'a')")
        return []
      } catch { return [error.sqlState ?? ""] }
    },
    MergeCase("removalsAreCollected", ["0"]) { kennel, key in
      try kennel.push(people: [.person(key, at: 1)], [.tag("d", key, "a", at: 10)])
      // An open transaction of another test may need the removals of a moment ago.
      try kennel.connection.runScript(
        """
        update app."Person.tags$gone" set _rx = '3' where owner = \(key); select realm.collect('1 day')
        """)
      return try kennel.rows("select count(*) from app.\"Person.tags$gone\" where owner = \(key)")
    },
    MergeCase("elementsOfARestoredDatabaseAreOfItsOwnTransactions", ["t"]) { kennel, key in
      try kennel.push(people: [.person(key, at: 1)], [.tag("i", key, "a", at: 10)])
      try kennel.connection.runScript(
        "begin; select realm.begin_push(); select realm.rehistory(); select set_config('realm.push', 'on', true)"
      )
      let found = try kennel.rows(
        "select _rx = pg_current_xact_id() from app.\"Person.tags\" where owner = \(key)")
      try kennel.connection.rollback()
      return found
    },
  ]
}
