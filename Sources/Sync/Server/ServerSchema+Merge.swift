// The function that merges the input of a push into the table of a class, for all rows at once.
//
// It has the rights of the client's role: policies and constraints hold for what it writes. It relies on one row of the input
// for each key and operation. Row level security leaves rows out of updates and deletions without an error: what was visible
// and has not been written is noted as denied. So is an insertion that a trigger drops.
extension ServerSchema {
  func merge(_ item: SyncClass) -> String {
    let names = names(of: item)
    return function(
      "\(names.merge)(bigint, bigint)", returns: "void", language: "plpgsql",
      body: """

        declare
          realm$x xid8 := pg_current_xact_id();
          realm$seen pg_snapshot := pg_current_snapshot();
          realm$limit bigint := \(Self.latestStamp);
          realm$creates bigint; realm$updates bigint; realm$deletes bigint; realm$written bigint;
          realm$ahead boolean;
          realm$dead \(item.key.type.name)[]; realm$died bigint[];
        begin
          select count(*) filter (where s._op = 'i'), count(*) filter (where s._op = 'u'),
              count(*) filter (where s._op = 'd'), bool_or(\(Self.isAhead))
            into realm$creates, realm$updates, realm$deletes, realm$ahead from \(names.input) s where \(range);
          if realm$ahead then
        \(limitingStamps(names))
          end if;
          if realm$creates > 0 then
        \(findDead(item, names))
          end if;
        \(outcome(item, names))
          if realm$deletes > 0 then
        \(deletions(item, names))
        \(findDead(item, names))
          end if;
          if realm$creates > 0 then
        \(creations(item, names))
        \(dropped(item, names))
          end if;
          if realm$updates > 0 then
        \(updates(item, names))
          end if;
        end
        """)
  }

  private var range: String { "s._n between $1 and $2" }

  /// The condition that a row existed when the merge began, or is of this push. A row that another transaction has created since is no
  /// sign of a refusal: the statements of the merge have not seen it.
  ///
  /// - Parameter transaction: The column with the transaction that created the row.
  func wasSeen(_ transaction: String) -> String {
    "(\(transaction) = realm$x or pg_visible_in_snapshot(\(transaction), realm$seen))"
  }

  /// Stamps far ahead of the server's clock are cut. One that is missing stays missing.
  private func limitingStamps(_ names: ServerNames) -> String {
    """
      update \(names.input) s set _at = least(s._at, realm$limit),
          _st = (select array_agg(case when u.v > realm$limit then realm$limit else u.v end order by u.o)
            from unnest(s._st) with ordinality u(v, o))
        where \(range) and (\(Self.isAhead));
    """
  }

  private static let isAhead = "s._at > realm$limit or realm$limit < any (s._st)"

  /// Looks up when objects with the keys of created ones died. For all keys at once: a call for each row would cost more than the
  /// merge. A deletion of the same push is among them once it was written.
  private func findDead(_ item: SyncClass, _ names: ServerNames) -> String {
    """
      select array_agg(d._key), array_agg(d._died) into realm$dead, realm$died from \(names.dead)((
        select array_agg(s.\(SQLText.identifier(item.key.name))) from \(names.input) s where \(range) and s._op = 'i')) d;
    """
  }

  private func joinDead(_ item: SyncClass) -> String {
    "left join unnest(realm$dead, realm$died) dead(_key, _died) on dead._key = s.\(SQLText.identifier(item.key.name))"
  }

  /// Notes the objects that do not come out as they were pushed, before anything is written.
  private func outcome(_ item: SyncClass, _ names: ServerNames) -> String {
    let key = SQLText.identifier(item.key.name)
    let older = item.properties.filter { !$0.isCounter }.map {
      " or s._st[\($0.number)] <= coalesce(t._st[\($0.number)], t._at)"
    }.joined()
    return """
        insert into \(ServerNames.outcome) (class, key, reason)
          select \(SQLText.literal(item.name)), \(keyText(item, of: "s")),
              case when s._op = 'u' and t.\(key) is null then 'gone' else 'lost' end
            from \(names.input) s left join \(names.table) t on t.\(key) = s.\(key)
              \(joinDead(item))
            where \(range) and (
              s._op = 'i' and (t.\(key) is not null or dead._died >= s._at)
              or s._op = 'u' and (t.\(key) is null\(older))
              or s._op = 'd' and t._at > s._at);
      """
  }

  /// A deletion wins over every edit of the object, but not over an object that was created later with its key.
  private func deletions(_ item: SyncClass, _ names: ServerNames) -> String {
    let key = SQLText.identifier(item.key.name)
    return """
        delete from \(names.table) t using \(names.input) s
          where \(range) and s._op = 'd' and t.\(key) = s.\(key) and t._at <= s._at;
        \(ifAnyIsUnwritten("realm$deletes"))
        insert into \(ServerNames.outcome) (class, key, reason)
          select \(SQLText.literal(item.name)), \(keyText(item, of: "s")), case when \(wasSeen("t._rin")) then 'denied' else 'lost' end
            from \(names.input) s join \(names.table) t on t.\(key) = s.\(key)
            where \(range) and s._op = 'd' and t._at <= s._at;
        end if;
        perform \(names.bury)(array_agg(s.\(key)), array_agg(s._at)) from \(names.input) s
          where \(range) and s._op = 'd' having count(*) > 0;
      """
  }

  /// Objects that were created with the same key are one object: each property has its later value.
  ///
  /// There is no WHERE behind DO UPDATE: it would be evaluated before the policies are.
  private func creations(_ item: SyncClass, _ names: ServerNames) -> String {
    let key = SQLText.identifier(item.key.name)
    let columns = item.properties.map { SQLText.identifier($0.name) + ", " }.joined()
    let values = item.properties.map { "s.\(SQLText.identifier($0.name)), " }.joined()
    let assignments = item.properties.map { property in
      let (name, number) = (SQLText.identifier(property.name), property.number)
      if property.isCounter { return "      \(name) = t.\(name) + excluded.\(name),\n" }
      return """
              \(name) = case when coalesce(excluded._st[\(number)], excluded._at) > coalesce(t._st[\(number)], t._at)
                then excluded.\(name) else t.\(name) end,

        """
    }.joined()
    let stamps = stamps(item) {
      "greatest(coalesce(t._st[\($0)], t._at), coalesce(excluded._st[\($0)], excluded._at))"
    }
    return """
        insert into \(names.table) as t (\(key), \(columns)_rx, _rin, _at, _st)
          select s.\(key), \(values)realm$x, realm$x, s._at, s._st
            from \(names.input) s \(joinDead(item))
            where \(range) and s._op = 'i' and (dead._died is null or dead._died < s._at)
            order by s.\(key)
          on conflict (\(key)) do update set
      \(assignments)      _rx = realm$x, _rin = realm$x, _at = greatest(t._at, excluded._at),
            _st = \(stamps);
      """
  }

  /// Notes the creations that a trigger has dropped: nothing is there that this transaction has written, and no deletion is later.
  ///
  /// It costs an eighth of the merge, so it is left out while the table has no triggers but ours. `is distinct from` keeps the
  /// planner from the index on `_rx`, whose rows it underestimates.
  private func dropped(_ item: SyncClass, _ names: ServerNames) -> String {
    let key = SQLText.identifier(item.key.name)
    return """
        \(ifOthersHaveTriggers(on: names.table))
        insert into \(ServerNames.outcome) (class, key, reason)
          with missing as materialized (
              select s.\(key), s._at from \(names.input) s left join \(names.table) t on t.\(key) = s.\(key)
                where \(range) and s._op = 'i' and t._rx is distinct from realm$x),
            dead as materialized (select d._key, d._died from \(names.dead)((
              select array_agg(s.\(key)) from missing s)) d)
          select \(SQLText.literal(item.name)), \(keyText(item, of: "s")), 'denied'
            from missing s left join dead on dead._key = s.\(key)
            where dead._died is null or dead._died < s._at;
        end if;
      """
  }

  /// The beginning of a condition: whether a table has triggers that are not generated here.
  func ifOthersHaveTriggers(on table: String) -> String {
    """
    if exists (select from pg_catalog.pg_trigger g where g.tgrelid = \(SQLText.literal(table))::regclass
          and not g.tgisinternal and g.tgname <> all ('{\(Self.triggerNames)}')) then
    """
  }

  /// The beginning of a condition: whether the statement before it has left out a row of the input. Only then it is worth looking
  /// for the reason, which takes a join of all rows.
  private func ifAnyIsUnwritten(_ count: String) -> String {
    """
    get diagnostics realm$written = row_count;
      if realm$written < \(count) then
    """
  }

  /// The later edit of a property wins; the differences of counters add up.
  private func updates(_ item: SyncClass, _ names: ServerNames) -> String {
    let key = SQLText.identifier(item.key.name)
    func isLater(_ number: Int) -> String { "s._st[\(number)] > coalesce(t._st[\(number)], t._at)" }
    let assignments = item.properties.map { property in
      let name = SQLText.identifier(property.name)
      return property.isCounter
        ? "      \(name) = t.\(name) + coalesce(s.\(name), 0),\n"
        : "      \(name) = case when \(isLater(property.number)) then s.\(name) else t.\(name) end,\n"
    }.joined()
    let moved = item.routing.map { isLater($0.number) }.joined(separator: " or ")
    let entrance = moved.isEmpty ? "" : "      _rin = case when \(moved) then realm$x else t._rin end,\n"
    let stamps = stamps(item) { "case when \(isLater($0)) then s._st[\($0)] else t._st[\($0)] end" }
    return """
        update \(names.table) t set
      \(assignments)\(entrance)      _rx = realm$x,
            _st = \(stamps)
          from \(names.input) s where \(range) and s._op = 'u' and t.\(key) = s.\(key);
        \(ifAnyIsUnwritten("realm$updates"))
        insert into \(ServerNames.outcome) (class, key, reason)
          select \(SQLText.literal(item.name)), \(keyText(item, of: "s")), case when \(wasSeen("t._rin")) then 'denied' else 'gone' end
            from \(names.input) s join \(names.table) t on t.\(key) = s.\(key)
            where \(range) and s._op = 'u' and t._rx <> realm$x;
        end if;
      """
  }

  /// An array with an element for each property; counters and collections have no stamp.
  private func stamps(_ item: SyncClass, _ element: (Int) -> String) -> String {
    let stamped = Set(item.properties.lazy.filter { !$0.isCounter }.map(\.number))
    let elements = (1..<item.lastNumber + 1).map {
      "        " + (stamped.contains($0) ? element($0) : "null")
    }
    return elements.isEmpty ? "t._st" : "array[\n\(elements.joined(separator: ",\n"))]::bigint[]"
  }
}
