// The tables of a class, and the functions that know its departures.
extension ServerSchema {
  /// The column of a property, with what it holds when an SQL program does not give it.
  func declaration(of property: SyncProperty) -> String {
    let name = SQLText.identifier(property.name)
    var text = "\(name) \(property.type.declaration)"
    if !property.isOptional { text += " not null default \(property.type.zero)" }
    return text + check(property)
  }

  private func check(_ property: SyncProperty) -> String {
    property.type == .objectId ? " check (octet_length(\(SQLText.identifier(property.name))) = 12)" : ""
  }

  func tables(of item: SyncClass) -> [String] {
    let names = names(of: item)
    let key = SQLText.identifier(item.key.name)
    let properties = item.properties.map { "  \(declaration(of: $0)),\n" }.joined()
    let routing = item.routing.map { "  \(SQLText.identifier($0.name)) \($0.type.declaration),\n" }.joined()
    return [
      """
      create table \(names.table) (
        \(key) \(item.key.type.declaration) primary key\(check(item.key)),
      \(properties)  _rx xid8 not null default pg_current_xact_id(),
        _rin xid8 not null default pg_current_xact_id(),
        _at bigint not null default realm.now_hlc(),
        _st bigint[])
      """,
      "create index on \(names.table) (_rx)",
      """
      create table \(names.departures) (
        \(key) \(item.key.type.declaration) not null,
      \(routing)  _died bigint,
        _rx xid8 not null default pg_current_xact_id(),
        unique nulls not distinct (\(place(of: item))))
      """,
      "create index on \(names.departures) (_rx)",
      "grant select, insert, update, delete on \(names.table) to \(Self.role)",
      "grant select on \(names.departures) to \(Self.role)",
    ]
  }

  /// The columns that say which departure of an object it was: its key, and its routing properties.
  private func place(of item: SyncClass) -> String {
    ([item.key] + item.routing).map { SQLText.identifier($0.name) }.joined(separator: ", ")
  }

  /// The functions that read and note departures. They have the rights of the owner: a deletion counts also for roles
  /// that may not see it.
  func tombstones(of item: SyncClass) -> [String] {
    let names = names(of: item)
    let key = SQLText.identifier(item.key.name)
    let type = item.key.type.name
    return [
      function(
        "\(names.died)(\(type))", returns: "bigint", language: "sql", volatility: "stable", asOwner: true,
        body: " select coalesce(max(g._died), 0) from \(names.departures) g where g.\(key) = $1 "),
      function(
        "\(names.dead)(\(type)[])", returns: "table (_key \(type), _died bigint)", language: "sql",
        volatility: "stable", asOwner: true,
        body: """

          select g.\(key), max(g._died) from \(names.departures) g
            where exists (select from \(names.departures)) and g.\(key) = any ($1) and g._died is not null
            group by g.\(key)
          """),
      bury(item, names),
      depart(item, names),
      "revoke execute on function \(names.died)(\(type)), \(names.dead)(\(type)[]), "
        + "\(names.bury)(\(type)[], bigint[]) from public",
      "grant execute on function \(names.dead)(\(type)[]), \(names.bury)(\(type)[], bigint[]) to \(Self.role)",
    ]
  }

  /// A deletion is remembered also for a key that is not there: the creation may arrive later.
  private func bury(_ item: SyncClass, _ names: ServerNames) -> String {
    let key = SQLText.identifier(item.key.name)
    return function(
      "\(names.bury)(\(item.key.type.name)[], bigint[])", returns: "void", language: "sql", asOwner: true,
      body: """

        with deletion as materialized (
          select u.key, max(least(greatest(u.at, 0), \(Self.latestStamp))) as at
            from unnest($1, $2) u(key, at)
            where not exists (select from \(names.table) t where t.\(key) = u.key) group by u.key),
        known as (
          update \(names.departures) g set _died = greatest(g._died, d.at), _rx = pg_current_xact_id()
            from deletion d where g.\(key) = d.key)
        insert into \(names.departures) as g (\(key), _died)
          select d.key, d.at from deletion d
            where not exists (select from \(names.departures) o where o.\(key) = d.key)
          on conflict (\(place(of: item))) do update
            set _died = greatest(g._died, excluded._died), _rx = excluded._rx
        """)
  }

  /// During a push a deletion has the stamp that was pushed, which `bury` notes, not the time of its arrival.
  private func depart(_ item: SyncClass, _ names: ServerNames) -> String {
    let key = SQLText.identifier(item.key.name)
    let old = ([item.key] + item.routing).map { "old." + SQLText.identifier($0.name) }.joined(separator: ", ")
    return function(
      "\(names.depart)()", returns: "trigger", language: "plpgsql", asOwner: true,
      body: """

        declare
          realm$died bigint;
          realm$seen bigint := least(old._at, \(Self.latestStamp));
        begin
          if tg_op = 'DELETE' or new.\(key) is distinct from old.\(key) then
            realm$died := case when coalesce(current_setting('realm.push', true), '') = 'on' then realm$seen
              else greatest(realm.now_hlc(), realm$seen + 1) end;
          end if;
          insert into \(names.departures) as g (\(place(of: item)), _died) values (\(old), realm$died)
            on conflict (\(place(of: item))) do update
              set _died = greatest(g._died, excluded._died), _rx = excluded._rx;
          return null;
        end
        """)
  }

  /// The names of the triggers that tables of objects and of elements have.
  static let triggerNames = "realm_cut,realm_insert,realm_update,realm_gone,realm_left,realm_truncate"

  func triggers(of item: SyncClass) -> [String] {
    let table = names(of: item).table
    let names = names(of: item)
    let isForeign = """
      when (coalesce(current_setting('realm.push', true), '') <> 'on' or new._rx is distinct from pg_current_xact_id())
      """
    let hasLeft = ([item.key] + item.routing).map { SQLText.identifier($0.name) }
      .map { "old.\($0) is distinct from new.\($0)" }.joined(separator: " or ")
    let isOutOfRange =
      "when (new._at < 0 or 0 > any (new._st) or \(Self.latestStamp) < any (new._at || new._st))"
    return [
      "create or replace trigger realm_cut before insert or update on \(table) for each row \(isOutOfRange) "
        + "execute function realm.cut_stamps()",
      "create or replace trigger realm_insert before insert on \(table) for each row \(isForeign) execute function \(names.stamp)()",
      "create or replace trigger realm_update before update on \(table) for each row \(isForeign) execute function \(names.stamp)()",
      "create or replace trigger realm_gone after delete on \(table) for each row execute function \(names.depart)()",
      "create or replace trigger realm_left after update on \(table) for each row when (\(hasLeft)) execute function \(names.depart)()",
      "create or replace trigger realm_truncate before truncate on \(table) for each statement execute function realm.refuse_truncate()",
    ]
  }
}
