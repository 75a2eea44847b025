// The schema `realm`: which clients synchronise which classes, and the functions that do not depend on the classes.
extension ServerSchema {
  func bookkeeping() -> [String] {
    [prerequisites] + Self.schemaTables(SQLText.identifier(schema), SQLText.literal(schema))
      + sharedRoutines
  }

  private var prerequisites: String {
    "do "
      + SQLText.body(
        """

        begin
          if current_setting('server_version_num')::int < 150000 then
            raise exception 'PostgreSQL 15 or later is needed, and this is %', current_setting('server_version');
          end if;
          if current_setting('server_encoding') <> 'UTF8' then
            raise exception 'The database has the encoding %: create it with UTF8', current_setting('server_encoding');
          end if;
          if not exists (select from pg_roles where rolname = '\(Self.role)') then
            create role \(Self.role) nologin;
          end if;
        exception when duplicate_object or unique_violation then
          -- Roles belong to all databases: it has been created for another one at this moment.
          null;
        end
        """)
  }

  private static func schemaTables(_ schema: String, _ name: String) -> [String] {
    [
      "create schema realm",
      "create schema if not exists \(schema)",
      """
      create table realm.server (
        one boolean primary key default true check (one),
        protocol int not null,
        schema text not null,
        history uuid not null default gen_random_uuid(),
        system_identifier bigint not null,
        horizon xid8 not null default '0',
        schema_epoch bigint not null default 0,
        policy_epoch bigint not null default 0,
        routines_version int,
        routines text)
      """,
      """
      insert into realm.server (protocol, schema, system_identifier)
        select \(protocolVersion), \(name), system_identifier from pg_control_system()
      """,
      """
      create table realm.client (
        id int generated always as identity primary key,
        token uuid not null default gen_random_uuid(),
        owner name not null default current_user,
        applied bigint not null default 0,
        outcome jsonb,
        seen timestamptz not null default now(),
        cursor pg_snapshot,
        lag int,
        lag_max int,
        nonce uuid unique,
        shift bigint,
        mark text)
      """,
      "alter table realm.client enable row level security",
      "create policy own on realm.client using (owner = current_user) with check (owner = current_user)",
      "create table realm.class (name text primary key, number int not null unique, embedded boolean not null)",
      """
      create table realm.property (
        class text not null references realm.class,
        name text not null,
        number int not null,
        type text not null,
        nullable boolean not null,
        collection text not null default 'none',
        target text,
        counter boolean not null default false,
        routing boolean not null default false,
        primary key (class, name),
        unique (class, number))
      """,
    ]
  }

  /// The stamp of the present: milliseconds << 16.
  ///
  /// `date_part` returns a binary number: `extract` computes with decimal ones, which takes several times as long.
  private var clock: String {
    function(
      "realm.now_hlc()", returns: "bigint", language: "sql", volatility: "volatile",
      body: " select (date_part('epoch', clock_timestamp()) * 1000)::bigint << 16 ")
  }

  /// The statements that make or replace the functions that do not depend on the classes, with the rights to them.
  var sharedRoutines: [String] {
    [clock, mixedKey, registration, beginPush] + mergeFunctions + [cutStamps, refuseTruncate] + maintenance
      + [installedRoutines] + grants
  }

  /// The client that has registered a file which was never registered before, for copies of the file that were made before that. They
  /// may be those of other roles, which do not see the client.
  private var registration: String {
    function(
      "realm.registration(nonce uuid)", returns: "table (client int, token uuid, shift bigint)",
      language: "sql",
      volatility: "stable", asOwner: true,
      body: " select c.id, c.token, c.shift from realm.client c where c.nonce = $1 ")
  }

  private var beginPush: String {
    // Constraints that are deferred would fail at the commit, when no single object can be found that is at fault.
    function(
      "realm.begin_push()", returns: "void", language: "plpgsql",
      body: """

        begin
          if to_regclass('pg_temp."$out"') is null then
            create temp table "$out" (class text not null, key text not null, reason text not null, property text)
              on commit delete rows;
          else
            delete from pg_temp."$out";
          end if;
          perform set_config('realm.push', 'on', true);
          set constraints all immediate;
        end
        """)
  }

  private var mergeFunctions: [String] { [halving, application] }

  /// The errors that are no fault of an object, as a regular expression: of the connection, the transaction, a conflict with
  /// another one, resources and the server itself, and of a schema that has changed. Clients repeat the push after them.
  private static let serverTrouble = "^(08|25|40|53|55|57|58|XX|42703|42P01)"

  /// Halves the input until the objects are found that the server rejects; the others are merged. Elements of one owner are merged
  /// or rejected together, so that they are numbered by their owners before they are divided.
  private var halving: String {
    let schema = SQLText.literal(self.schema)
    return function(
      "realm.try(what text, lo bigint, hi bigint, is_divisible boolean default true)", returns: "void",
      language: "plpgsql",
      body: """

        declare
          state text;
          message text;
          middle bigint := lo + (hi - lo) / 2;
        begin
          begin
            execute format('select %I.%I($1, $2)', \(schema), what || '$merge') using lo, hi;
            return;
          exception when others or assert_failure then
            get stacked diagnostics state = returned_sqlstate, message = message_text;
            if state ~ '\(Self.serverTrouble)' then raise; end if;
          end;
          if not is_divisible then
            execute format('update pg_temp.%1$I s set _n = r.n
              from (select i.ctid as place, dense_rank() over (order by i.owner) as n from pg_temp.%1$I i) r
              where s.ctid = r.place', what || '$in');
            execute format('select max(_n) from pg_temp.%I', what || '$in') into hi;
            perform realm.try(what, 1, hi);
          elsif lo = hi then
            execute format('select %I.%I($1, $2)', \(schema), what || '$fail')
              using lo, 'rejected ' || state || ' ' || message;
          else
            if hi - lo > 100 then
              execute format('create index if not exists %I on pg_temp.%I (_n)', what || '$n', what || '$in');
            end if;
            perform realm.try(what, lo, middle);
            perform realm.try(what, middle + 1, hi);
          end if;
        end
        """)
  }

  /// The objects of a class and then, when they are there, the elements of its collections. A temporary table has no statistics,
  /// which updates and deletions need and insertions do not: of objects those of the number, the operation and the key, because
  /// no join is about other columns. The plan of a small push, which the connection keeps, would take too long for a large one.
  private var application: String {
    function(
      "realm.apply(what text)", returns: "void", language: "plpgsql",
      body: """

        declare
          part text;
          lo bigint;
          hi bigint;
          changes bigint;
        begin
          for part in select u.name from (select what, 0 union all
              select what || '.' || p.name, p.number from realm.property p where p.class = what and p.collection <> 'none'
            ) u(name, number) order by u.number loop
            continue when to_regclass(format('pg_temp.%I', part || '$in')) is null;
            execute format('select min(_n), max(_n), count(*) filter (where _op <> ''i'') from pg_temp.%I', part || '$in')
              into lo, hi, changes;
            continue when lo is null;
            if changes > 1000 then
              execute format('analyze pg_temp.%I (%s)', part || '$in', (
                select string_agg(quote_ident(a.attname), ', ') from pg_catalog.pg_attribute a
                  where a.attrelid = to_regclass(format('pg_temp.%I', part || '$in')) and not a.attisdropped
                    and a.attnum > 0 and (a.attnum <= 3 or part <> what)));
            end if;
            perform set_config('plan_cache_mode', case when hi - lo >= 1000 then 'force_custom_plan' else 'auto' end, true);
            perform realm.try(part, lo, hi, part = what);
          end loop;
        end
        """)
  }

  /// An SQL program that takes itself for a client could give its values stamps that would win for ever, or that clients cannot
  /// read.
  private var cutStamps: String {
    function(
      "realm.cut_stamps()", returns: "trigger", language: "plpgsql",
      body: """

        declare
          realm$limit bigint := \(Self.latestStamp);
        begin
          new._at := greatest(0, least(new._at, realm$limit));
          new._st := (select array_agg(
              case when u.v > realm$limit then realm$limit when u.v < 0 then 0 else u.v end order by u.o)
            from unnest(new._st) with ordinality u(v, o));
          return new;
        end
        """)
  }

  private var refuseTruncate: String {
    function(
      "realm.refuse_truncate()", returns: "trigger", language: "plpgsql",
      body: """

        begin
          raise exception 'truncate does not reach the clients: use delete from %.%',
            quote_ident(tg_table_schema), quote_ident(tg_table_name);
        end
        """)
  }

  private var grants: [String] {
    let schema = SQLText.identifier(self.schema)
    return [
      "grant usage on schema realm, \(schema) to \(Self.role)",
      "grant select on realm.server, realm.class, realm.property to \(Self.role)",
      "grant select, insert, update on realm.client to \(Self.role)",
      "revoke execute on function realm.registration(uuid) from public",
      "grant execute on function realm.registration(uuid) to \(Self.role)",
      "revoke execute on function realm.collect(interval), realm.rehistory(), realm.installed_routines() from public",
    ]
  }

  /// A function whose body is quoted. Those with the rights of their owner find nothing but the system's operators and
  /// functions by names without a schema: the caller's search path could contain others.
  func function(
    _ signature: String, returns result: String, language: String, volatility: String = "volatile",
    asOwner: Bool = false, body: String
  ) -> String {
    let rights = asOwner ? " security definer set search_path = pg_catalog, pg_temp" : ""
    return
      "create or replace function \(signature) returns \(result) language \(language) \(volatility)\(rights) as "
      + SQLText.body(body)
  }
}
