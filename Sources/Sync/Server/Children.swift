// The tables of lists, sets and maps: a row for each element, which belongs to an object as the property does.
//
// An element is visible and writable as its owner is. It goes with its owner, by the foreign key, and then leaves no departure:
// that of the owner says enough.
extension ServerSchema {
  func names(of collection: SyncCollection, in item: SyncClass) -> ServerNames {
    ServerNames(schema: schema, className: item.name, collection: collection.name)
  }

  /// Returns the statements that make everything for a collection of a class whose own table is there.
  func definition(of collection: SyncCollection, in item: SyncClass) -> [String] {
    registration(of: collection, in: item)
      + tables(of: collection, in: item) + policies(of: collection, in: item, write: nil)
      + (collection.kind == .list ? [elementNumbers(collection, in: item)] : [])
      + routines(of: collection, in: item)
  }

  /// Returns the statements that make or replace the functions and triggers of a collection.
  func routines(of collection: SyncCollection, in item: SyncClass) -> [String] {
    (collection.kind == .list ? [keyAfter] : [])
      + [
        childBury(collection, item), childDepart(collection, item), childStamp(collection, item),
        childCut(collection, item),
        childStage(collection, item), childFail(collection, item),
        collection.kind == .list ? listMerge(collection, item) : childMerge(collection, item),
      ] + childRights(collection, item) + childTriggers(collection, item)
  }

  private func registration(of collection: SyncCollection, in item: SyncClass) -> [String] {
    let target = collection.target.map { SQLText.literal($0) } ?? "null"
    return [
      """
      insert into realm.property (class, name, number, type, nullable, collection, target) values
        (\(SQLText.literal(item.name)), \(SQLText.literal(collection.name)), \(collection.number),
          \(SQLText.literal(collection.element.rawValue)), \(collection.isOptional),
          \(SQLText.literal(collection.kindName)), \(target))
      """
    ]
  }

  // MARK: Tables

  /// The columns of an element, after `owner`.
  private func columns(of collection: SyncCollection) -> String {
    let length = collection.element == .objectId ? " check (octet_length(value) = 12)" : ""
    let value =
      "value \(collection.element.declaration)\(collection.isOptional ? "" : " not null")\(length),\n"
    return switch collection.kind {
    case .list:
      """
        _el bigint not null,
        _key bytea not null,
        \(value)  _ks bigint not null default realm.now_hlc(),
        _vs bigint not null default realm.now_hlc(),

      """
    case .map:
      "  key text collate \"C\" not null,\n  \(value)  _at bigint not null default realm.now_hlc(),\n"
    case .set where collection.isMixedSet:
      "  \(value)  \(collection.mixedKeyColumn),\n  _at bigint not null default realm.now_hlc(),\n"
    case .set, .none: "  \(value)  _at bigint not null default realm.now_hlc(),\n"
    }
  }

  private func tables(of collection: SyncCollection, in item: SyncClass) -> [String] {
    let names = names(of: collection, in: item)
    let identity = collection.identity
    let unique =
      collection.hasNullIdentity
      ? "unique nulls not distinct (owner, \(identity))" : "primary key (owner, \(identity))"
    let order = collection.kind == .list ? ["create index on \(names.table) (owner, _key, _el)"] : []
    return [
      """
      create table \(names.table) (
        owner \(item.key.type.declaration) not null
          references \(self.names(of: item).table) on delete cascade on update cascade,
      \(columns(of: collection))  _rx xid8 not null default pg_current_xact_id(),
        \(unique))
      """,
      "create index on \(names.table) (_rx)",
      """
      create table \(names.departures) (
        owner \(item.key.type.declaration) not null,
        \(identity) \(collection.identityType.declaration),
        _died bigint not null,
        _rx xid8 not null default pg_current_xact_id(),
        \(unique))
      """,
      "create index on \(names.departures) (_rx)",
      "grant select, insert, update, delete on \(names.table) to \(Self.role)",
      "grant select on \(names.departures) to \(Self.role)",
    ] + order
  }

  /// The policies of the elements: as their owner may be read and written.
  ///
  /// The owner's table has no other name here: in its conditions, a name without a table is that of its column.
  ///
  /// - Parameter write: The condition for owners that a role may write; nil where the owner's table has no policies, or its own.
  func policies(of collection: SyncCollection, in item: SyncClass, write: String?) -> [String] {
    let names = names(of: collection, in: item)
    let owners = self.names(of: item).table
    func owner(of table: String, where condition: String? = nil) -> String {
      "exists (select from \(owners) where \(owners).\(SQLText.identifier(item.key.name)) = \(table).owner"
        + "\(condition.map { " and (\($0))" } ?? ""))"
    }
    let read = owner(of: names.table)
    let change = owner(of: names.table, where: write)
    let policies = [
      ("realm_read", names.departures, "for select using (\(owner(of: names.departures)))"),
      ("realm_read", names.table, "for select using (\(read))"),
      ("realm_write_new", names.table, "for insert with check (\(change))"),
      ("realm_write", names.table, "for update using (\(change)) with check (\(change))"),
      ("realm_delete", names.table, "for delete using (\(change))"),
    ]
    return [
      "alter table \(names.table) enable row level security",
      "alter table \(names.departures) enable row level security",
    ]
      + policies.flatMap { name, table, rule in
        ["drop policy if exists \(name) on \(table)", "create policy \(name) on \(table) \(rule)"]
      }
  }

  // MARK: Departures

  /// Whether a column of a table is the element that an expression says.
  func isElement(_ collection: SyncCollection, _ column: String, _ element: String) -> String {
    collection.hasNullIdentity
      ? "(\(column) = \(element) or \(element) is null and \(column) is null)" : "\(column) = \(element)"
  }

  /// A removal is remembered also for an element that is not there: the addition may arrive later.
  private func childBury(_ collection: SyncCollection, _ item: SyncClass) -> String {
    let names = names(of: collection, in: item)
    let (identity, type) = (collection.identity, collection.identityType.name)
    func present(_ condition: String) -> String {
      "exists (select from \(names.table) t where t.owner = u.owner and \(condition))"
    }
    let isPresent =
      collection.hasNullIdentity
      ? "case when u.element is null then \(present("t.value is null")) else \(present("t.value = u.element")) end"
      : present("t.\(identity) = u.element")
    return function(
      "\(names.bury)(\(item.key.type.name)[], \(type)[], bigint[])", returns: "void", language: "sql",
      asOwner: true,
      body: """

        with removal as materialized (
          select u.owner, u.element, max(least(greatest(u.at, 0), \(Self.latestStamp))) as at
            from unnest($1, $2, $3) u(owner, element, at)
            where exists (select from \(self.names(of: item).table) p where p.\(SQLText.identifier(item.key.name)) = u.owner)
              and not \(isPresent)
            group by u.owner, u.element)
        insert into \(names.departures) as g (owner, \(identity), _died)
          select r.owner, r.element, r.at from removal r order by r.owner, r.element
          on conflict (owner, \(identity)) do update
            set _died = greatest(g._died, excluded._died), _rx = excluded._rx
        """)
  }

  /// The last stamp of an element: its removal is later.
  private func lastStamp(_ collection: SyncCollection) -> String {
    collection.kind == .list ? "greatest(old._ks, old._vs)" : "old._at"
  }

  /// During a push a removal has the stamp that was pushed, which `bury` notes, not the time of its arrival.
  private func childDepart(_ collection: SyncCollection, _ item: SyncClass) -> String {
    let names = names(of: collection, in: item)
    let identity = collection.identity
    return function(
      "\(names.depart)()", returns: "trigger", language: "plpgsql", asOwner: true,
      body: """

        declare
          realm$seen bigint := least(\(lastStamp(collection)), \(Self.latestStamp));
        begin
          if exists (select from \(self.names(of: item).table) p
              where p.\(SQLText.identifier(item.key.name)) = old.owner) then
            insert into \(names.departures) as g (owner, \(identity), _died) values (old.owner, old.\(identity),
                case when coalesce(current_setting('realm.push', true), '') = 'on' then realm$seen
                  else greatest(realm.now_hlc(), realm$seen + 1) end)
              on conflict (owner, \(identity)) do update
                set _died = greatest(g._died, excluded._died), _rx = excluded._rx;
          end if;
          return null;
        end
        """)
  }

  /// Stamps what SQL programs write. The program has seen the former value, so its own one is later.
  private func childStamp(_ collection: SyncCollection, _ item: SyncClass) -> String {
    let names = names(of: collection, in: item)
    let identity = collection.identity
    let isElement = isElement(collection, "g.\(identity)", collection.newIdentity)
    let isChanged =
      collection.isMixedSet
      ? "(new.value, new._at) is distinct from (old.value, old._at)" : "new is distinct from old"
    let died = "(select max(g._died) from \(names.departures) g where g.owner = new.owner and \(isElement))"
    let isNew =
      "tg_op = 'INSERT' or new.owner is distinct from old.owner or \(collection.newIdentity) is distinct from old.\(identity)"
    let valueStamp = """
      if \(isNew) then
          new._at := greatest(realm.now_hlc(), 1 + least(realm$limit, coalesce(\(died), 0)));
        elsif \(isChanged) then
          new._at := greatest(realm.now_hlc(), least(old._at, realm$limit) + 1);
        end if;
      """
    let body = collection.kind == .list ? listStamp(names) : valueStamp
    return function(
      "\(names.stamp)()", returns: "trigger", language: "plpgsql", asOwner: true,
      body: """

        declare
          realm$limit bigint := \(Self.latestStamp);
        begin
          \(body)
          new._rx := pg_current_xact_id();
          return new;
        end
        """)
  }

  /// The columns with the stamps of an element.
  private func stampColumns(_ collection: SyncCollection) -> [String] {
    collection.kind == .list ? ["new._ks", "new._vs"] : ["new._at"]
  }

  /// An SQL program that takes itself for a client could give elements stamps that would win for ever, or that clients cannot read.
  private func childCut(_ collection: SyncCollection, _ item: SyncClass) -> String {
    let assignments = stampColumns(collection).map { "  \($0) := greatest(0, least(\($0), realm$limit));\n" }
    return function(
      "\(names(of: collection, in: item).cut)()", returns: "trigger", language: "plpgsql",
      body: """

        declare
          realm$limit bigint := \(Self.latestStamp);
        begin
        \(assignments.joined())  return new;
        end
        """)
  }

  private func childTriggers(_ collection: SyncCollection, _ item: SyncClass) -> [String] {
    let names = names(of: collection, in: item)
    let table = names.table
    let isForeign = """
      when (coalesce(current_setting('realm.push', true), '') <> 'on' or new._rx is distinct from pg_current_xact_id())
      """
    let hasLeft = ["owner", collection.identity].map { "old.\($0) is distinct from new.\($0)" }
      .joined(separator: " or ")
    let stamps = stampColumns(collection).joined(separator: ", ")
    let isOutOfRange = "when (least(\(stamps)) < 0 or greatest(\(stamps)) > \(Self.latestStamp))"
    return [
      "create or replace trigger realm_cut before insert or update on \(table) for each row \(isOutOfRange) "
        + "execute function \(names.cut)()",
      "create or replace trigger realm_insert before insert on \(table) for each row \(isForeign) execute function \(names.stamp)()",
      "create or replace trigger realm_update before update on \(table) for each row \(isForeign) execute function \(names.stamp)()",
      "create or replace trigger realm_gone after delete on \(table) for each row execute function \(names.depart)()",
      "create or replace trigger realm_left after update on \(table) for each row when (\(hasLeft)) execute function \(names.depart)()",
      "create or replace trigger realm_truncate before truncate on \(table) for each statement execute function realm.refuse_truncate()",
    ]
  }

  private func childRights(_ collection: SyncCollection, _ item: SyncClass) -> [String] {
    let bury =
      "\(names(of: collection, in: item).bury)(\(item.key.type.name)[], \(collection.identityType.name)[], bigint[])"
    return [
      "revoke execute on function \(bury) from public", "grant execute on function \(bury) to \(Self.role)",
    ]
  }
}
