import Sync

/// What SQL programs write, which know nothing of stamps.
extension MergeCase {
  /// A time that the stamps of the present are before.
  static let limit = "realm.now_hlc() + (61000::bigint << 16)"

  static let foreign = [
    MergeCase("anUpdateBySQLWinsOverWhatTheProgramSaw", ["lost", "b 3", "t t"]) { kennel, key in
      try kennel.push(.created(key, at: 10, name: "a", age: 3))
      try kennel.connection.runScript("update app.\"Dog\" set name = 'b' where id = \(key)")
      return try kennel.push(.edited(key, name: ("c", 20))).map { $0.replacing("\(key) ", with: "") }
        + kennel.rows("select name, age from app.\"Dog\" where id = \(key)")
        + kennel.rows(
          """
          select _st[1] between realm.now_hlc() - (60000::bigint << 16) and realm.now_hlc(), _st[2] is null
            from app."Dog" where id = \(key)
          """)
    },
    MergeCase("anUpdateBySQLWinsOverAStampOfTheFuture", ["t t"]) { kennel, key in
      let future = try kennel.connection.run("select realm.now_hlc() + (30000::bigint << 16)")[0].integer(0)
      let stamp = Int(future ?? 0)
      try kennel.push(.created(key, at: 10))
      try kennel.push(.edited(key, name: ("a", stamp)))
      try kennel.connection.runScript("update app.\"Dog\" set name = 'b' where id = \(key)")
      try kennel.push(.created(key + 1, at: stamp, name: "a"))
      try kennel.connection.runScript("update app.\"Dog\" set name = 'b' where id = \(key + 1)")
      return try kennel.rows(
        """
        select a._st[1] = \(stamp + 1), b._st[1] = \(stamp + 1) from app."Dog" a, app."Dog" b
          where a.id = \(key) and b.id = \(key + 1)
        """)
    },
    MergeCase("anInsertionBySQLIsLaterThanTheDeletion", ["t -"]) { kennel, key in
      let future = try kennel.connection.run("select realm.now_hlc() + (30000::bigint << 16)")[0].integer(0)
      try kennel.push(.deleted(key, at: Int(future ?? 0)))
      try kennel.connection.runScript("insert into app.\"Dog\" (id) values (\(key))")
      return try kennel.rows("select _at = \(future ?? 0) + 1, _st from app.\"Dog\" where id = \(key)")
    },
    MergeCase("aDeletionBySQLIsADeparture", ["gone", "x t"]) { kennel, key in
      try kennel.push(.created(key, at: 10, owner: "x"))
      try kennel.connection.runScript("delete from app.\"Dog\" where id = \(key)")
      return try kennel.push(.edited(key, name: ("c", 20))).map { $0.replacing("\(key) ", with: "") }
        + kennel.rows(
          """
          select owner, _died > realm.now_hlc() - (60000::bigint << 16) from app."Dog$gone" where id = \(key)
          """)
    },
    MergeCase("anotherKeyIsADeletionAndACreation", ["x t", "a t - t"]) { kennel, key in
      try kennel.push(.created(key, at: 10, name: "a", owner: "x"))
      try kennel.push(.edited(key, name: ("a", 20)))
      try kennel.connection.runScript("update app.\"Dog\" set id = \(key + 1) where id = \(key)")
      return try kennel.rows("select owner, _died > 1000 from app.\"Dog$gone\" where id = \(key)")
        + kennel.rows("select name, _at > 1000, _st, _rin = _rx from app.\"Dog\" where id = \(key + 1)")
    },
    MergeCase("aMoveIsADeparture", ["a -", "b -", "c t t"]) { kennel, key in
      try kennel.push(.created(key, at: 10, owner: "a"))
      try kennel.push(.edited(key, owner: ("b", 20)))
      try kennel.connection.runScript("update app.\"Dog\" set owner = 'c' where id = \(key)")
      return try kennel.departures(key)
        + kennel.rows("select owner, _st[4] > 1000, _rin = _rx from app.\"Dog\" where id = \(key)")
    },
    MergeCase("theTransactionOfARowCannotBeForged", ["f f", "f t"]) { kennel, key in
      try kennel.connection.runScript(
        """
        begin; select realm.begin_push();
        insert into app."Dog" (id, _rx, _rin, _at) values (\(key), '9999999999', '5', 77); commit
        """)
      let inserted = try kennel.rows(
        "select _rx = '9999999999', _at = 77 from app.\"Dog\" where id = \(key)")
      try kennel.connection.runScript("update app.\"Dog\" set _rx = '9999999999', _at = 5 where id = \(key)")
      return try inserted
        + kennel.rows("select _rx = '9999999999', _at > 1000 from app.\"Dog\" where id = \(key)")
    },
    MergeCase("stampsOfAProgramThatTakesItselfForAClientAreCut", ["t t t 0 5", "0 -", "t t"]) { kennel, key in
      try kennel.connection.runScript(
        """
        begin; set local realm.push = 'on';
        insert into app."Dog" (id, _at, _st) values (\(key), \(Int64.max), '{\(Int64.max),null,-7,5}'), (\(key + 1), -5, null);
        insert into app."Dog" (id) values (\(key + 2)); commit;
        begin; set local realm.push = 'on';
        update app."Dog" set _at = \(Int64.max), _st = '{-5}', _rx = pg_current_xact_id() where id = \(key + 2); commit
        """)
      let isNow = "between realm.now_hlc() and \(limit)"
      return try kennel.rows(
        "select _at \(isNow), _st[1] \(isNow), _st[2] is null, _st[3], _st[4] from app.\"Dog\" where id = \(key)"
      )
        + kennel.rows("select _at, _st from app.\"Dog\" where id = \(key + 1)")
        + kennel.rows("select _at \(isNow), _st = '{0}' from app.\"Dog\" where id = \(key + 2)")
    },
    MergeCase("programsWriteObjectsWithTheGreatestStamp", ["b t", "c t", "t 3", "d t"]) { kennel, key in
      try kennel.push(.created(key, at: 10, name: "a"), .created(key + 1, at: 10), .created(key + 2, at: 10))
      try kennel.connection.runScript(
        """
        begin; set local session_replication_role = replica;
        update app."Dog" set _at = \(Int64.max) where id between \(key) and \(key + 2);
        update app."Dog" set _st = '{null,\(Int64.max),null,null}' where id = \(key + 1);
        insert into app."Dog$gone" (id, _died) values (\(key + 3), \(Int64.max)); commit;
        update app."Dog" set name = 'b' where id = \(key); update app."Dog" set name = 'c', age = 5 where id = \(key + 1)
        """)
      let written =
        try kennel.rows("select name, _st[1] < \(limit) from app.\"Dog\" where id = \(key)")
        + kennel.rows(
          "select name, greatest(_st[1], _st[2]) < \(limit) from app.\"Dog\" where id = \(key + 1)")
      try kennel.connection.runScript(
        """
        delete from app."Dog" where id between \(key) and \(key + 1);
        begin; set local realm.push = 'on'; delete from app."Dog" where id = \(key + 2); commit;
        insert into app."Dog" (id, name) values (\(key + 3), 'd')
        """)
      return try written
        + kennel.rows(
          "select bool_and(_died < \(limit)), count(*) from app.\"Dog$gone\" where id between \(key) and \(key + 2)"
        )
        + kennel.rows("select name, _at < \(limit) from app.\"Dog\" where id = \(key + 3)")
    },
    MergeCase("truncateIsRefused", ["P0001"]) { kennel, _ in
      do throws(PostgresError) {
        try kennel.connection.runScript("truncate app.\"Dog\"")
        return []
      } catch { return [error.sqlState ?? ""] }
    },
  ]

  /// Errors that a trigger raises about an object.
  private static let objectStates = ["AB123", "P0001", "P0004", "0A000", "21000", "27000", "38001", "42883"]

  /// Errors that are not the fault of an object: the push is repeated.
  private static let serverStates = [
    "08006", "25006", "40001", "40P01", "53100", "55P03", "57014", "57P01", "58030", "XX000", "XX001",
    "42703",
    "42P01",
  ]

  /// Lets a trigger raise the error that the name of a dog says.
  private static func raiseErrors(_ kennel: Kennel) throws {
    try kennel.connection.runScript(
      """
      create or replace function app.raise_errors() returns trigger language plpgsql as
        $$ begin
          if new.name like 'raise %' then raise exception 'no' using errcode = split_part(new.name, ' ', 2); end if;
          return new;
        end $$;
      create or replace trigger raise_errors before insert on app."Dog" for each row execute function app.raise_errors()
      """)
  }

  /// Objects that the server does not accept, among others that it does.
  static let rejections = [
    MergeCase(
      "aConstraintRejectsSingleObjects", ["rejected 23514", "rejected 23514", "6"]
    ) { kennel, key in
      try kennel.connection.runScript(
        "alter table app.\"Dog\" drop constraint if exists young, add constraint young check (age < 1000)")
      let outcome = try kennel.push(
        (0..<8).map { .created(key + $0, at: 10, name: "r", age: $0 == 2 || $0 == 5 ? 5000 : 1) })
      return try outcome.map { $0.split(separator: " ")[1...2].joined(separator: " ") }
        + kennel.rows("select count(*) from app.\"Dog\" where id between \(key) and \(key + 7)")
    },
    MergeCase("aDeferredConstraintRejectsSingleObjects", ["rejected 23505", "2"]) { kennel, key in
      try kennel.connection.runScript(
        """
        alter table app."Dog" drop constraint if exists single,
          add constraint single exclude using btree (name with =) where (name like 'single%') deferrable initially deferred
        """)
      let names = ["single\(key)", "single\(key)", "other"]
      let outcome = try kennel.push(names.enumerated().map { .created(key + $0, at: 10, name: $1) })
      return try outcome.map { $0.split(separator: " ")[1...2].joined(separator: " ") }.map {
        $0.replacing("23P01", with: "23505")
      } + kennel.rows("select count(*) from app.\"Dog\" where id between \(key) and \(key + 2)")
    },
    MergeCase("aTriggerRejectsSingleObjects", ["rejected P0001 no cats", "1"]) { kennel, key in
      try kennel.connection.runScript(
        """
        create or replace function app.no_cats() returns trigger language plpgsql as
          $$ begin if new.name = 'cat' then raise exception 'no cats'; end if; return new; end $$;
        create or replace trigger no_cats before insert on app."Dog" for each row execute function app.no_cats()
        """)
      let outcome = try kennel.push(
        .created(key, at: 10, name: "cat"), .created(key + 1, at: 10, name: "dog"))
      return try outcome.map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
        + kennel.rows("select count(*) from app.\"Dog\" where id between \(key) and \(key + 1)")
    },
    MergeCase(
      "errorsOfTriggersRejectSingleObjects",
      objectStates.map { "rejected \($0) no" } + ["1"]
    ) { kennel, key in
      try raiseErrors(kennel)
      let outcome = try kennel.push(
        zip(1..., objectStates).map { .created(key + $0, at: 10, name: "raise \($1)") } + [
          .created(key, at: 10)
        ])
      return try outcome.map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
        + kennel.rows("select count(*) from app.\"Dog\" where id between \(key) and \(key + 9)")
    },
    MergeCase("theServersTroubleRejectsNoObjects", serverStates + ["0"]) { kennel, key in
      try raiseErrors(kennel)
      let found = serverStates.map { state in
        do {
          return try
            "\(kennel.push(.created(key, at: 10), .created(key + 1, at: 10, name: "raise \(state)")))"
        } catch { return (error as? PostgresError)?.sqlState ?? "\(error)" }
      }
      return try found
        + kennel.rows("select count(*) from app.\"Dog\" where id between \(key) and \(key + 1)")
    },
    MergeCase(
      "whatATriggerDropsIsDenied", ["0 denied", "2 denied", "2 lost", "3 lost", "a", "b"]
    ) { kennel, key in
      try kennel.connection.runScript(
        """
        create or replace function app.drop_ghosts() returns trigger language plpgsql as
          $$ begin if new.name = 'ghost' then return null; end if; return new; end $$;
        create or replace trigger drop_ghosts before insert or update on app."Dog" for each row
          execute function app.drop_ghosts()
        """)
      try kennel.push(.created(key + 2, at: 10, name: "b"), .deleted(key + 3, at: 20))
      let outcome = try kennel.push(
        .created(key, at: 10, name: "ghost"), .created(key + 1, at: 10, name: "a"),
        .created(key + 2, at: 30, name: "ghost"), .created(key + 3, at: 10, name: "ghost"))
      return try outcome.map { "\(Int($0.split(separator: " ")[0])! - key) \($0.split(separator: " ")[1])" }
        + kennel.rows("select name from app.\"Dog\" where id between \(key) and \(key + 3) order by name")
    },
    MergeCase("aValueThatIsTooLongForTheIndexIsRejected", ["rejected 54000", "1"]) { kennel, key in
      try kennel.push(.created(key, at: 10, owner: "a"))
      // Random text, which the index cannot compress.
      let noise = "(select string_agg(md5(g::text), '') from generate_series(1, 300) g)"
      try kennel.push(
        Input(columns: "_op, id, owner, _st", values: "'u', \(key), \(noise), '{null,null,null,20}'"))
      return try kennel.push(.deleted(key, at: 30)).map {
        $0.split(separator: " ")[1...2].joined(separator: " ")
      }
        + kennel.rows("select count(*) from app.\"Dog\" where id = \(key)")
    },
  ]
}
