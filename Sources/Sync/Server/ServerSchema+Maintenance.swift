// What the owner of the schemas runs now and then.
extension ServerSchema {
  /// Functions over the tables of all classes.
  var maintenance: [String] {
    let schema = SQLText.literal(self.schema)
    return [
      // A departure below the cursors of all clients is needed by none of them. A client that has told no cursor may need
      // any of them, until it has not been seen for so long.
      function(
        "realm.collect(older interval)", returns: "bigint", language: "plpgsql",
        body: """

          declare
            oldest xid8;
            last xid8;
            class text;
            removed bigint;
            total bigint := 0;
          begin
            select coalesce(min(coalesce(pg_snapshot_xmin(c.cursor), '0')), pg_snapshot_xmin(pg_current_snapshot()))
              into oldest from realm.client c where c.seen > now() - older;
            for class in \(Self.allTables) loop
              execute format('with removed as (delete from %I.%I where _rx < $1 returning _rx)
                select count(*), max(_rx) from removed', \(schema), class || '$gone') into removed, last using oldest;
              total := total + removed;
              update realm.server set horizon = (last::text::numeric + 1)::text::xid8
                where last is not null and horizon <= last;
            end loop;
            return total;
          end
          """),
      // The numbers of transactions in a restored database may lie in the future of its own: clients would miss changes.
      function(
        "realm.rehistory()", returns: "bigint", language: "plpgsql",
        body: """

          declare
            class text;
            changed bigint;
            total bigint := 0;
          begin
            perform set_config('realm.push', 'on', true);
            for class in \(Self.allTables) loop
              execute format('update %I.%I set _rx = pg_current_xact_id()', \(schema), class)
                || case when exists (select from realm.class c where c.name = class) then ', _rin = pg_current_xact_id()'
                  else '' end;
              get diagnostics changed = row_count;
              total := total + changed;
              execute format('update %I.%I set _rx = pg_current_xact_id()', \(schema), class || '$gone');
            end loop;
            update realm.client set cursor = null;
            update realm.server set history = gen_random_uuid(), horizon = '0',
              system_identifier = (select s.system_identifier from pg_control_system() s);
            perform set_config('realm.push', '', true);
            return total;
          end
          """),
    ]
  }

  /// The names of the tables of objects and of elements.
  private static let allTables = """
    select c.name from realm.class c where not c.embedded
      union all select p.class || '.' || p.name from realm.property p where p.collection <> 'none'
    """

  /// Returns the statements that restrict a class to the objects for which conditions hold.
  ///
  /// Policies are evaluated once for each statement, not for each row, when a condition compares a routing property with
  /// a subquery, as in `owner = any ((select my_owners())::text[])`.
  ///
  /// - Parameters:
  ///   - item: The class.
  ///   - read: The condition for objects that a role may read, in SQL. It uses the key and routing properties only: the
  ///     table of departures has no others.
  ///   - write: The condition for objects that a role may write.
  package func allow(_ item: SyncClass, read: String, write: String) -> [String] {
    let names = names(of: item)
    let policies = [
      ("realm_read", names.departures, "for select using (\(read))"),
      ("realm_read", names.table, "for select using (\(read))"),
      ("realm_write_new", names.table, "for insert with check (\(write))"),
      ("realm_write", names.table, "for update using (\(write)) with check (\(write))"),
      ("realm_delete", names.table, "for delete using (\(write))"),
    ]
    return [
      "alter table \(names.table) enable row level security",
      "alter table \(names.departures) enable row level security",
    ]
      + policies.flatMap { name, table, rule in
        ["drop policy if exists \(name) on \(table)", "create policy \(name) on \(table) \(rule)"]
      } + item.collections.flatMap { self.policies(of: $0, in: item, write: write) }
      + ["update realm.server set policy_epoch = policy_epoch + 1"]
  }
}
