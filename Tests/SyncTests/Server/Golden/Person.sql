do $realm$
begin
  if current_setting('server_version_num')::int < 150000 then
    raise exception 'PostgreSQL 15 or later is needed, and this is %', current_setting('server_version');
  end if;
  if current_setting('server_encoding') <> 'UTF8' then
    raise exception 'The database has the encoding %: create it with UTF8', current_setting('server_encoding');
  end if;
  if not exists (select from pg_roles where rolname = 'realm_user') then
    create role realm_user nologin;
  end if;
exception when duplicate_object or unique_violation then
  -- Roles belong to all databases: it has been created for another one at this moment.
  null;
end$realm$;

create schema realm;

create schema if not exists "app";

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
  routines text);

insert into realm.server (protocol, schema, system_identifier)
  select 1, 'app', system_identifier from pg_control_system();

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
  mark text);

alter table realm.client enable row level security;

create policy own on realm.client using (owner = current_user) with check (owner = current_user);

create table realm.class (name text primary key, number int not null unique, embedded boolean not null);

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
  unique (class, number));

create or replace function realm.now_hlc() returns bigint language sql volatile as $realm$ select (date_part('epoch', clock_timestamp()) * 1000)::bigint << 16 $realm$;

create or replace function realm.mixed_key(jsonb) returns jsonb language plpgsql immutable set extra_float_digits = 1 set timezone = 'UTC' as $realm$
declare
  realm$type text := $1 ->> 't';
  realm$value jsonb := $1 -> 'v';
  realm$number double precision;
begin
  if $1 is null or jsonb_typeof($1) <> 'object' or realm$value is null then
    return coalesce($1, 'null');
  end if;
  case
  when realm$type in ('float', 'double') then
    if realm$value = '"-0.0"' then
      return '{"t": "int", "v": 0}';
    end if;
    if jsonb_typeof(realm$value) <> 'number' then
      return jsonb_build_object('t', 'double', 'v', realm$value);
    end if;
    realm$number := case realm$type when 'float' then realm$value::text::real else realm$value::text::double precision end;
    if realm$number = trunc(realm$number) and realm$number >= -9223372036854775808 and realm$number < 9223372036854775808 then
      return jsonb_build_object('t', 'int', 'v', realm$number::bigint);
    end if;
    return jsonb_build_object('t', 'double', 'v', realm$number);
  when realm$type in ('data', 'objectId') then
    return jsonb_build_object('t', realm$type, 'v', lower(realm$value #>> '{}'));
  when realm$type = 'uuid' then
    return jsonb_build_object('t', realm$type, 'v', replace(lower(realm$value #>> '{}'), '-', ''));
  when realm$type = 'date' and realm$value #>> '{}' ~
      '^\d{4,6}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d(:\d\d(:\d\d)?)?)( BC)?$' then
    return jsonb_build_object('t', realm$type, 'v', (realm$value #>> '{}')::timestamptz);
  when realm$type = 'link' then
    return jsonb_build_object('t', realm$type, 'v', realm$value, 'class', $1 -> 'class');
  else
    return jsonb_build_object('t', realm$type, 'v', realm$value);
  end case;
end$realm$;

create or replace function realm.registration(nonce uuid) returns table (client int, token uuid, shift bigint) language sql stable security definer set search_path = pg_catalog, pg_temp as $realm$ select c.id, c.token, c.shift from realm.client c where c.nonce = $1 $realm$;

create or replace function realm.begin_push() returns void language plpgsql volatile as $realm$
begin
  if to_regclass('pg_temp."$out"') is null then
    create temp table "$out" (class text not null, key text not null, reason text not null, property text)
      on commit delete rows;
  else
    delete from pg_temp."$out";
  end if;
  perform set_config('realm.push', 'on', true);
  set constraints all immediate;
end$realm$;

create or replace function realm.try(what text, lo bigint, hi bigint, is_divisible boolean default true) returns void language plpgsql volatile as $realm$
declare
  state text;
  message text;
  middle bigint := lo + (hi - lo) / 2;
begin
  begin
    execute format('select %I.%I($1, $2)', 'app', what || '$merge') using lo, hi;
    return;
  exception when others or assert_failure then
    get stacked diagnostics state = returned_sqlstate, message = message_text;
    if state ~ '^(08|25|40|53|55|57|58|XX|42703|42P01)' then raise; end if;
  end;
  if not is_divisible then
    execute format('update pg_temp.%1$I s set _n = r.n
      from (select i.ctid as place, dense_rank() over (order by i.owner) as n from pg_temp.%1$I i) r
      where s.ctid = r.place', what || '$in');
    execute format('select max(_n) from pg_temp.%I', what || '$in') into hi;
    perform realm.try(what, 1, hi);
  elsif lo = hi then
    execute format('select %I.%I($1, $2)', 'app', what || '$fail')
      using lo, 'rejected ' || state || ' ' || message;
  else
    if hi - lo > 100 then
      execute format('create index if not exists %I on pg_temp.%I (_n)', what || '$n', what || '$in');
    end if;
    perform realm.try(what, lo, middle);
    perform realm.try(what, middle + 1, hi);
  end if;
end$realm$;

create or replace function realm.apply(what text) returns void language plpgsql volatile as $realm$
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
end$realm$;

create or replace function realm.cut_stamps() returns trigger language plpgsql volatile as $realm$
declare
  realm$limit bigint := realm.now_hlc() + (60000::bigint << 16);
begin
  new._at := greatest(0, least(new._at, realm$limit));
  new._st := (select array_agg(
      case when u.v > realm$limit then realm$limit when u.v < 0 then 0 else u.v end order by u.o)
    from unnest(new._st) with ordinality u(v, o));
  return new;
end$realm$;

create or replace function realm.refuse_truncate() returns trigger language plpgsql volatile as $realm$
begin
  raise exception 'truncate does not reach the clients: use delete from %.%',
    quote_ident(tg_table_schema), quote_ident(tg_table_name);
end$realm$;

create or replace function realm.collect(older interval) returns bigint language plpgsql volatile as $realm$
declare
  oldest xid8;
  last xid8;
  class text;
  removed bigint;
  total bigint := 0;
begin
  select coalesce(min(coalesce(pg_snapshot_xmin(c.cursor), '0')), pg_snapshot_xmin(pg_current_snapshot()))
    into oldest from realm.client c where c.seen > now() - older;
  for class in select c.name from realm.class c where not c.embedded
  union all select p.class || '.' || p.name from realm.property p where p.collection <> 'none' loop
    execute format('with removed as (delete from %I.%I where _rx < $1 returning _rx)
      select count(*), max(_rx) from removed', 'app', class || '$gone') into removed, last using oldest;
    total := total + removed;
    update realm.server set horizon = (last::text::numeric + 1)::text::xid8
      where last is not null and horizon <= last;
  end loop;
  return total;
end$realm$;

create or replace function realm.rehistory() returns bigint language plpgsql volatile as $realm$
declare
  class text;
  changed bigint;
  total bigint := 0;
begin
  perform set_config('realm.push', 'on', true);
  for class in select c.name from realm.class c where not c.embedded
  union all select p.class || '.' || p.name from realm.property p where p.collection <> 'none' loop
    execute format('update %I.%I set _rx = pg_current_xact_id()', 'app', class)
      || case when exists (select from realm.class c where c.name = class) then ', _rin = pg_current_xact_id()'
        else '' end;
    get diagnostics changed = row_count;
    total := total + changed;
    execute format('update %I.%I set _rx = pg_current_xact_id()', 'app', class || '$gone');
  end loop;
  update realm.client set cursor = null;
  update realm.server set history = gen_random_uuid(), horizon = '0',
    system_identifier = (select s.system_identifier from pg_control_system() s);
  perform set_config('realm.push', '', true);
  return total;
end$realm$;

create or replace function realm.installed_routines() returns text language sql stable security definer set search_path = pg_catalog, pg_temp as $realm$
with owner(name) as (
    select c.name from realm.class c
      union all select p.class || '.' || p.name from realm.property p where p.collection <> 'none'),
routine(text) as (
  select concat_ws(' ', n.nspname, f.proname, pg_get_function_identity_arguments(f.oid), pg_get_function_result(f.oid),
      f.prosecdef, f.provolatile, f.proconfig, f.prosrc)
    from pg_proc f join pg_namespace n on n.oid = f.pronamespace
    where n.nspname = 'realm' or n.nspname = 'app'
      and f.proname in (select o.name || s from owner o, unnest(array['', '$bury', '$cut', '$dead', '$died', '$fail', '$gone', '$in', '$merge', '$stage', '$stamp']) s)
  union all
  select concat_ws(' ', t.tgenabled, pg_get_triggerdef(t.oid))
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'app' and t.tgname = any ('{realm_cut,realm_insert,realm_update,realm_gone,realm_left,realm_truncate}'))
select encode(sha256(convert_to(coalesce(string_agg(text, ';' order by text collate "C"), ''), 'UTF8')), 'hex')
  from routine$realm$;

grant usage on schema realm, "app" to realm_user;

grant select on realm.server, realm.class, realm.property to realm_user;

grant select, insert, update on realm.client to realm_user;

revoke execute on function realm.registration(uuid) from public;

grant execute on function realm.registration(uuid) to realm_user;

revoke execute on function realm.collect(interval), realm.rehistory(), realm.installed_routines() from public;

create table "app"."Person" (
  "id" bigint primary key,
  "name" text collate "C" not null default '',
  "owner" text collate "C",
  "home" text collate "C",
  "age" bigint not null default 0,
  _rx xid8 not null default pg_current_xact_id(),
  _rin xid8 not null default pg_current_xact_id(),
  _at bigint not null default realm.now_hlc(),
  _st bigint[]);

create index on "app"."Person" (_rx);

create table "app"."Person$gone" (
  "id" bigint not null,
  "home" text collate "C",
  _died bigint,
  _rx xid8 not null default pg_current_xact_id(),
  unique nulls not distinct ("id", "home"));

create index on "app"."Person$gone" (_rx);

grant select, insert, update, delete on "app"."Person" to realm_user;

grant select on "app"."Person$gone" to realm_user;

insert into realm.class (name, number, embedded) values ('Person', 1, false);

insert into realm.property (class, name, number, type, nullable, counter, routing, target)
  values ('Person', 'id', 0, 'bigint', false, false, false, null);

insert into realm.property (class, name, number, type, nullable, counter, routing, target)
  values ('Person', 'name', 1, 'text', false, false, false, null);

insert into realm.property (class, name, number, type, nullable, counter, routing, target)
  values ('Person', 'owner', 2, 'text', true, false, false, null);

insert into realm.property (class, name, number, type, nullable, counter, routing, target)
  values ('Person', 'home', 3, 'text', true, false, true, null);

insert into realm.property (class, name, number, type, nullable, counter, routing, target)
  values ('Person', 'age', 8, 'bigint', false, false, false, null);

create or replace function "app"."Person$died"(bigint) returns bigint language sql stable security definer set search_path = pg_catalog, pg_temp as $realm$ select coalesce(max(g._died), 0) from "app"."Person$gone" g where g."id" = $1 $realm$;

create or replace function "app"."Person$dead"(bigint[]) returns table (_key bigint, _died bigint) language sql stable security definer set search_path = pg_catalog, pg_temp as $realm$
select g."id", max(g._died) from "app"."Person$gone" g
  where exists (select from "app"."Person$gone") and g."id" = any ($1) and g._died is not null
  group by g."id"$realm$;

create or replace function "app"."Person$bury"(bigint[], bigint[]) returns void language sql volatile security definer set search_path = pg_catalog, pg_temp as $realm$
with deletion as materialized (
  select u.key, max(least(greatest(u.at, 0), realm.now_hlc() + (60000::bigint << 16))) as at
    from unnest($1, $2) u(key, at)
    where not exists (select from "app"."Person" t where t."id" = u.key) group by u.key),
known as (
  update "app"."Person$gone" g set _died = greatest(g._died, d.at), _rx = pg_current_xact_id()
    from deletion d where g."id" = d.key)
insert into "app"."Person$gone" as g ("id", _died)
  select d.key, d.at from deletion d
    where not exists (select from "app"."Person$gone" o where o."id" = d.key)
  on conflict ("id", "home") do update
    set _died = greatest(g._died, excluded._died), _rx = excluded._rx$realm$;

create or replace function "app"."Person$gone"() returns trigger language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $realm$
declare
  realm$died bigint;
  realm$seen bigint := least(old._at, realm.now_hlc() + (60000::bigint << 16));
begin
  if tg_op = 'DELETE' or new."id" is distinct from old."id" then
    realm$died := case when coalesce(current_setting('realm.push', true), '') = 'on' then realm$seen
      else greatest(realm.now_hlc(), realm$seen + 1) end;
  end if;
  insert into "app"."Person$gone" as g ("id", "home", _died) values (old."id", old."home", realm$died)
    on conflict ("id", "home") do update
      set _died = greatest(g._died, excluded._died), _rx = excluded._rx;
  return null;
end$realm$;

revoke execute on function "app"."Person$died"(bigint), "app"."Person$dead"(bigint[]), "app"."Person$bury"(bigint[], bigint[]) from public;

grant execute on function "app"."Person$dead"(bigint[]), "app"."Person$bury"(bigint[], bigint[]) to realm_user;

create or replace function "app"."Person$stamp"() returns trigger language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $realm$
declare
  realm$now bigint := realm.now_hlc();
  realm$limit bigint := realm$now + (60000::bigint << 16);
  realm$st bigint[];
begin
  new._rx := pg_current_xact_id();
  if tg_op = 'INSERT' or new."id" is distinct from old."id" then
    new._rin := new._rx;
    new._at := greatest(realm$now, 1 + least(realm$limit, "app"."Person$died"(new."id")));
    new._st := null;
    return new;
  end if;
  new._at := old._at;
  new._rin := old._rin;
  realm$st := coalesce(old._st, array_fill(null::bigint, array[8]));
  if new."name" is distinct from old."name" then
    realm$st[1] := greatest(realm$now, least(coalesce(realm$st[1], old._at), realm$limit) + 1);
  end if;
  if new."owner" is distinct from old."owner" then
    realm$st[2] := greatest(realm$now, least(coalesce(realm$st[2], old._at), realm$limit) + 1);
  end if;
  if new."home" is distinct from old."home" then
    realm$st[3] := greatest(realm$now, least(coalesce(realm$st[3], old._at), realm$limit) + 1);
    new._rin := new._rx;
  end if;
  if new."age" is distinct from old."age" then
    realm$st[8] := greatest(realm$now, least(coalesce(realm$st[8], old._at), realm$limit) + 1);
  end if;
  new._st := realm$st;
  return new;
end$realm$;

create or replace function "app"."Person$stage"() returns int language plpgsql volatile as $realm$
begin
  if to_regclass('pg_temp."Person$in"') is not null and 9 <> (select count(*) from pg_catalog.pg_attribute a
      where a.attrelid = to_regclass('pg_temp."Person$in"') and a.attnum > 0 and not a.attisdropped) then
    drop table pg_temp."Person$in";
  end if;
  if to_regclass('pg_temp."Person$in"') is null then
    create temp table "Person$in" (
      _n bigint generated always as identity,
      _op "char" not null check (_op in ('i', 'u', 'd')),
      "id" bigint not null,
      "name" text collate "C" default '',
      "owner" text collate "C",
      "home" text collate "C",
      "age" bigint default 0,
      _at bigint check (_at is not null or _op = 'u'),
      _st bigint[]) on commit delete rows;
  end if;
  return 8;
end$realm$;

create or replace function "app"."Person$fail"(bigint, text) returns void language plpgsql volatile as $realm$
begin
  insert into pg_temp."$out" (class, key, reason)
    select 'Person', s."id"::text, $2 from pg_temp."Person$in" s where s._n = $1;
end$realm$;

create or replace function "app"."Person$merge"(bigint, bigint) returns void language plpgsql volatile as $realm$
declare
  realm$x xid8 := pg_current_xact_id();
  realm$seen pg_snapshot := pg_current_snapshot();
  realm$limit bigint := realm.now_hlc() + (60000::bigint << 16);
  realm$creates bigint; realm$updates bigint; realm$deletes bigint; realm$written bigint;
  realm$ahead boolean;
  realm$dead bigint[]; realm$died bigint[];
begin
  select count(*) filter (where s._op = 'i'), count(*) filter (where s._op = 'u'),
      count(*) filter (where s._op = 'd'), bool_or(s._at > realm$limit or realm$limit < any (s._st))
    into realm$creates, realm$updates, realm$deletes, realm$ahead from pg_temp."Person$in" s where s._n between $1 and $2;
  if realm$ahead then
  update pg_temp."Person$in" s set _at = least(s._at, realm$limit),
      _st = (select array_agg(case when u.v > realm$limit then realm$limit else u.v end order by u.o)
        from unnest(s._st) with ordinality u(v, o))
    where s._n between $1 and $2 and (s._at > realm$limit or realm$limit < any (s._st));
  end if;
  if realm$creates > 0 then
  select array_agg(d._key), array_agg(d._died) into realm$dead, realm$died from "app"."Person$dead"((
    select array_agg(s."id") from pg_temp."Person$in" s where s._n between $1 and $2 and s._op = 'i')) d;
  end if;
  insert into pg_temp."$out" (class, key, reason)
    select 'Person', s."id"::text,
        case when s._op = 'u' and t."id" is null then 'gone' else 'lost' end
      from pg_temp."Person$in" s left join "app"."Person" t on t."id" = s."id"
        left join unnest(realm$dead, realm$died) dead(_key, _died) on dead._key = s."id"
      where s._n between $1 and $2 and (
        s._op = 'i' and (t."id" is not null or dead._died >= s._at)
        or s._op = 'u' and (t."id" is null or s._st[1] <= coalesce(t._st[1], t._at) or s._st[2] <= coalesce(t._st[2], t._at) or s._st[3] <= coalesce(t._st[3], t._at) or s._st[8] <= coalesce(t._st[8], t._at))
        or s._op = 'd' and t._at > s._at);
  if realm$deletes > 0 then
  delete from "app"."Person" t using pg_temp."Person$in" s
    where s._n between $1 and $2 and s._op = 'd' and t."id" = s."id" and t._at <= s._at;
  get diagnostics realm$written = row_count;
  if realm$written < realm$deletes then
  insert into pg_temp."$out" (class, key, reason)
    select 'Person', s."id"::text, case when (t._rin = realm$x or pg_visible_in_snapshot(t._rin, realm$seen)) then 'denied' else 'lost' end
      from pg_temp."Person$in" s join "app"."Person" t on t."id" = s."id"
      where s._n between $1 and $2 and s._op = 'd' and t._at <= s._at;
  end if;
  perform "app"."Person$bury"(array_agg(s."id"), array_agg(s._at)) from pg_temp."Person$in" s
    where s._n between $1 and $2 and s._op = 'd' having count(*) > 0;
  select array_agg(d._key), array_agg(d._died) into realm$dead, realm$died from "app"."Person$dead"((
    select array_agg(s."id") from pg_temp."Person$in" s where s._n between $1 and $2 and s._op = 'i')) d;
  end if;
  if realm$creates > 0 then
  insert into "app"."Person" as t ("id", "name", "owner", "home", "age", _rx, _rin, _at, _st)
    select s."id", s."name", s."owner", s."home", s."age", realm$x, realm$x, s._at, s._st
      from pg_temp."Person$in" s left join unnest(realm$dead, realm$died) dead(_key, _died) on dead._key = s."id"
      where s._n between $1 and $2 and s._op = 'i' and (dead._died is null or dead._died < s._at)
      order by s."id"
    on conflict ("id") do update set
      "name" = case when coalesce(excluded._st[1], excluded._at) > coalesce(t._st[1], t._at)
        then excluded."name" else t."name" end,
      "owner" = case when coalesce(excluded._st[2], excluded._at) > coalesce(t._st[2], t._at)
        then excluded."owner" else t."owner" end,
      "home" = case when coalesce(excluded._st[3], excluded._at) > coalesce(t._st[3], t._at)
        then excluded."home" else t."home" end,
      "age" = case when coalesce(excluded._st[8], excluded._at) > coalesce(t._st[8], t._at)
        then excluded."age" else t."age" end,
      _rx = realm$x, _rin = realm$x, _at = greatest(t._at, excluded._at),
      _st = array[
        greatest(coalesce(t._st[1], t._at), coalesce(excluded._st[1], excluded._at)),
        greatest(coalesce(t._st[2], t._at), coalesce(excluded._st[2], excluded._at)),
        greatest(coalesce(t._st[3], t._at), coalesce(excluded._st[3], excluded._at)),
        null,
        null,
        null,
        null,
        greatest(coalesce(t._st[8], t._at), coalesce(excluded._st[8], excluded._at))]::bigint[];
  if exists (select from pg_catalog.pg_trigger g where g.tgrelid = '"app"."Person"'::regclass
      and not g.tgisinternal and g.tgname <> all ('{realm_cut,realm_insert,realm_update,realm_gone,realm_left,realm_truncate}')) then
  insert into pg_temp."$out" (class, key, reason)
    with missing as materialized (
        select s."id", s._at from pg_temp."Person$in" s left join "app"."Person" t on t."id" = s."id"
          where s._n between $1 and $2 and s._op = 'i' and t._rx is distinct from realm$x),
      dead as materialized (select d._key, d._died from "app"."Person$dead"((
        select array_agg(s."id") from missing s)) d)
    select 'Person', s."id"::text, 'denied'
      from missing s left join dead on dead._key = s."id"
      where dead._died is null or dead._died < s._at;
  end if;
  end if;
  if realm$updates > 0 then
  update "app"."Person" t set
      "name" = case when s._st[1] > coalesce(t._st[1], t._at) then s."name" else t."name" end,
      "owner" = case when s._st[2] > coalesce(t._st[2], t._at) then s."owner" else t."owner" end,
      "home" = case when s._st[3] > coalesce(t._st[3], t._at) then s."home" else t."home" end,
      "age" = case when s._st[8] > coalesce(t._st[8], t._at) then s."age" else t."age" end,
      _rin = case when s._st[3] > coalesce(t._st[3], t._at) then realm$x else t._rin end,
      _rx = realm$x,
      _st = array[
        case when s._st[1] > coalesce(t._st[1], t._at) then s._st[1] else t._st[1] end,
        case when s._st[2] > coalesce(t._st[2], t._at) then s._st[2] else t._st[2] end,
        case when s._st[3] > coalesce(t._st[3], t._at) then s._st[3] else t._st[3] end,
        null,
        null,
        null,
        null,
        case when s._st[8] > coalesce(t._st[8], t._at) then s._st[8] else t._st[8] end]::bigint[]
    from pg_temp."Person$in" s where s._n between $1 and $2 and s._op = 'u' and t."id" = s."id";
  get diagnostics realm$written = row_count;
  if realm$written < realm$updates then
  insert into pg_temp."$out" (class, key, reason)
    select 'Person', s."id"::text, case when (t._rin = realm$x or pg_visible_in_snapshot(t._rin, realm$seen)) then 'denied' else 'gone' end
      from pg_temp."Person$in" s join "app"."Person" t on t."id" = s."id"
      where s._n between $1 and $2 and s._op = 'u' and t._rx <> realm$x;
  end if;
  end if;
end$realm$;

create or replace trigger realm_cut before insert or update on "app"."Person" for each row when (new._at < 0 or 0 > any (new._st) or realm.now_hlc() + (60000::bigint << 16) < any (new._at || new._st)) execute function realm.cut_stamps();

create or replace trigger realm_insert before insert on "app"."Person" for each row when (coalesce(current_setting('realm.push', true), '') <> 'on' or new._rx is distinct from pg_current_xact_id()) execute function "app"."Person$stamp"();

create or replace trigger realm_update before update on "app"."Person" for each row when (coalesce(current_setting('realm.push', true), '') <> 'on' or new._rx is distinct from pg_current_xact_id()) execute function "app"."Person$stamp"();

create or replace trigger realm_gone after delete on "app"."Person" for each row execute function "app"."Person$gone"();

create or replace trigger realm_left after update on "app"."Person" for each row when (old."id" is distinct from new."id" or old."home" is distinct from new."home") execute function "app"."Person$gone"();

create or replace trigger realm_truncate before truncate on "app"."Person" for each statement execute function realm.refuse_truncate();

insert into realm.property (class, name, number, type, nullable, collection, target) values
  ('Person', 'tags', 4,
    'text', false,
    'set', null);

create table "app"."Person.tags" (
  owner bigint not null
    references "app"."Person" on delete cascade on update cascade,
  value text collate "C" not null,
  _at bigint not null default realm.now_hlc(),
  _rx xid8 not null default pg_current_xact_id(),
  primary key (owner, value));

create index on "app"."Person.tags" (_rx);

create table "app"."Person.tags$gone" (
  owner bigint not null,
  value text collate "C",
  _died bigint not null,
  _rx xid8 not null default pg_current_xact_id(),
  primary key (owner, value));

create index on "app"."Person.tags$gone" (_rx);

grant select, insert, update, delete on "app"."Person.tags" to realm_user;

grant select on "app"."Person.tags$gone" to realm_user;

alter table "app"."Person.tags" enable row level security;

alter table "app"."Person.tags$gone" enable row level security;

drop policy if exists realm_read on "app"."Person.tags$gone";

create policy realm_read on "app"."Person.tags$gone" for select using (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.tags$gone".owner));

drop policy if exists realm_read on "app"."Person.tags";

create policy realm_read on "app"."Person.tags" for select using (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.tags".owner));

drop policy if exists realm_write_new on "app"."Person.tags";

create policy realm_write_new on "app"."Person.tags" for insert with check (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.tags".owner));

drop policy if exists realm_write on "app"."Person.tags";

create policy realm_write on "app"."Person.tags" for update using (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.tags".owner)) with check (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.tags".owner));

drop policy if exists realm_delete on "app"."Person.tags";

create policy realm_delete on "app"."Person.tags" for delete using (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.tags".owner));

create or replace function "app"."Person.tags$bury"(bigint[], text[], bigint[]) returns void language sql volatile security definer set search_path = pg_catalog, pg_temp as $realm$
with removal as materialized (
  select u.owner, u.element, max(least(greatest(u.at, 0), realm.now_hlc() + (60000::bigint << 16))) as at
    from unnest($1, $2, $3) u(owner, element, at)
    where exists (select from "app"."Person" p where p."id" = u.owner)
      and not exists (select from "app"."Person.tags" t where t.owner = u.owner and t.value = u.element)
    group by u.owner, u.element)
insert into "app"."Person.tags$gone" as g (owner, value, _died)
  select r.owner, r.element, r.at from removal r order by r.owner, r.element
  on conflict (owner, value) do update
    set _died = greatest(g._died, excluded._died), _rx = excluded._rx$realm$;

create or replace function "app"."Person.tags$gone"() returns trigger language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $realm$
declare
  realm$seen bigint := least(old._at, realm.now_hlc() + (60000::bigint << 16));
begin
  if exists (select from "app"."Person" p
      where p."id" = old.owner) then
    insert into "app"."Person.tags$gone" as g (owner, value, _died) values (old.owner, old.value,
        case when coalesce(current_setting('realm.push', true), '') = 'on' then realm$seen
          else greatest(realm.now_hlc(), realm$seen + 1) end)
      on conflict (owner, value) do update
        set _died = greatest(g._died, excluded._died), _rx = excluded._rx;
  end if;
  return null;
end$realm$;

create or replace function "app"."Person.tags$stamp"() returns trigger language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $realm$
declare
  realm$limit bigint := realm.now_hlc() + (60000::bigint << 16);
begin
  if tg_op = 'INSERT' or new.owner is distinct from old.owner or new.value is distinct from old.value then
    new._at := greatest(realm.now_hlc(), 1 + least(realm$limit, coalesce((select max(g._died) from "app"."Person.tags$gone" g where g.owner = new.owner and g.value = new.value), 0)));
  elsif new is distinct from old then
    new._at := greatest(realm.now_hlc(), least(old._at, realm$limit) + 1);
  end if;
  new._rx := pg_current_xact_id();
  return new;
end$realm$;

create or replace function "app"."Person.tags$cut"() returns trigger language plpgsql volatile as $realm$
declare
  realm$limit bigint := realm.now_hlc() + (60000::bigint << 16);
begin
  new._at := greatest(0, least(new._at, realm$limit));
  return new;
end$realm$;

create or replace function "app"."Person.tags$stage"() returns void language plpgsql volatile as $realm$
begin
  if to_regclass('pg_temp."Person.tags$in"') is not null and 5 <> (select count(*) from pg_catalog.pg_attribute a
      where a.attrelid = to_regclass('pg_temp."Person.tags$in"') and a.attnum > 0 and not a.attisdropped) then
    drop table pg_temp."Person.tags$in";
  end if;
  if to_regclass('pg_temp."Person.tags$in"') is null then
    create temp table "Person.tags$in" (
      _n bigint generated by default as identity,
      _op "char" not null check (_op in ('i', 'd')),
      owner bigint not null,
      value text collate "C",
      _at bigint not null) on commit delete rows;
  end if;
end$realm$;

create or replace function "app"."Person.tags$fail"(bigint, text) returns void language plpgsql volatile as $realm$
begin
  insert into pg_temp."$out"
    select distinct 'Person', s.owner::text, $2, 'tags' from pg_temp."Person.tags$in" s where s._n = $1;
end$realm$;

create or replace function "app"."Person.tags$merge"(bigint, bigint) returns void language plpgsql volatile as $realm$
declare
  realm$x xid8 := pg_current_xact_id();
  realm$seen pg_snapshot := pg_current_snapshot();
  realm$limit bigint := realm.now_hlc() + (60000::bigint << 16);
  realm$owners bigint[];
begin
  update pg_temp."Person.tags$in" s set _at = realm$limit where s._n between $1 and $2 and s._at > realm$limit;
  realm$owners := array(select p."id" from "app"."Person" p
    where p."id" in (select s.owner from pg_temp."Person.tags$in" s where s._n between $1 and $2) order by p."id" for no key update);
  insert into pg_temp."$out" (class, key, reason, property)
    with writable as materialized (select w.owner from unnest(realm$owners) w(owner)),
      dead as materialized (select d._key, d._died from "app"."Person$dead"((
        select array_agg(distinct s.owner) from pg_temp."Person.tags$in" s where s._n between $1 and $2 and s._op = 'i')) d)
    select distinct 'Person', s.owner::text,
        case when writable.owner is not null then 'lost' when (p._rin = realm$x or pg_visible_in_snapshot(p._rin, realm$seen)) then 'denied' else 'gone' end, 'tags'
      from pg_temp."Person.tags$in" s left join "app"."Person" p on p."id" = s.owner
        left join writable on writable.owner = s.owner left join dead on dead._key = s.owner
        left join "app"."Person.tags" t on t.owner = s.owner and t.value = s.value
        left join "app"."Person.tags$gone" g on g.owner = s.owner and g.value = s.value
      where s._n between $1 and $2 and (writable.owner is null
        or s._op = 'i' and (dead._died >= s._at or g._died >= s._at)
        or s._op = 'd' and t._at > s._at);
  delete from "app"."Person.tags" t using pg_temp."Person.tags$in" s, unnest(realm$owners) w(owner)
    where s._n between $1 and $2 and s._op = 'd' and w.owner = s.owner and t.owner = s.owner and t.value = s.value and t._at <= s._at;
  insert into pg_temp."$out" (class, key, reason, property)
    select distinct 'Person', s.owner::text,
        case when (t._rx = realm$x or pg_visible_in_snapshot(t._rx, realm$seen)) then 'denied' else 'lost' end, 'tags'
      from pg_temp."Person.tags$in" s join unnest(realm$owners) w(owner) on w.owner = s.owner
        join "app"."Person.tags" t on t.owner = s.owner and t.value = s.value
      where s._n between $1 and $2 and s._op = 'd' and t._at <= s._at;
  perform "app"."Person.tags$bury"(array_agg(s.owner), array_agg(s.value), array_agg(s._at))
    from pg_temp."Person.tags$in" s join unnest(realm$owners) w(owner) on w.owner = s.owner
    where s._n between $1 and $2 and s._op = 'd' having count(*) > 0;
  with writable as materialized (select w.owner from unnest(realm$owners) w(owner)),
      dead as materialized (select d._key, d._died from "app"."Person$dead"((
        select array_agg(distinct s.owner) from pg_temp."Person.tags$in" s where s._n between $1 and $2 and s._op = 'i')) d)
  insert into "app"."Person.tags" as t (owner, value, _at, _rx)
    select distinct on (s.owner, s.value) s.owner, s.value, s._at, realm$x
      from pg_temp."Person.tags$in" s join writable on writable.owner = s.owner left join dead on dead._key = s.owner
        left join "app"."Person.tags$gone" g on g.owner = s.owner and g.value = s.value
      where s._n between $1 and $2 and s._op = 'i' and (dead._died is null or dead._died < s._at)
        and (g._died is null or g._died < s._at)
      order by s.owner, s.value, s._at desc
    on conflict (owner, value) do update set
      _at = greatest(t._at, excluded._at), _rx = realm$x;
  if exists (select from pg_catalog.pg_trigger g where g.tgrelid = '"app"."Person.tags"'::regclass
      and not g.tgisinternal and g.tgname <> all ('{realm_cut,realm_insert,realm_update,realm_gone,realm_left,realm_truncate}')) then
  insert into pg_temp."$out" (class, key, reason, property)
    with missing as materialized (
        select s.owner, s.value, s._at as _at from pg_temp."Person.tags$in" s
          left join "app"."Person.tags" t on t.owner = s.owner and t.value = s.value
          where s._n between $1 and $2 and s._op = 'i' and t._rx is distinct from realm$x),
      dead as materialized (select d._key, d._died from "app"."Person$dead"((
        select array_agg(distinct s.owner) from missing s)) d)
    select distinct 'Person', s.owner::text, 'denied', 'tags'
      from missing s join unnest(realm$owners) w(owner) on w.owner = s.owner
        left join dead on dead._key = s.owner left join "app"."Person.tags$gone" g on g.owner = s.owner and g.value = s.value
      where (dead._died is null or dead._died < s._at) and (g._died is null or g._died < s._at);
  end if;
end$realm$;

revoke execute on function "app"."Person.tags$bury"(bigint[], text[], bigint[]) from public;

grant execute on function "app"."Person.tags$bury"(bigint[], text[], bigint[]) to realm_user;

create or replace trigger realm_cut before insert or update on "app"."Person.tags" for each row when (least(new._at) < 0 or greatest(new._at) > realm.now_hlc() + (60000::bigint << 16)) execute function "app"."Person.tags$cut"();

create or replace trigger realm_insert before insert on "app"."Person.tags" for each row when (coalesce(current_setting('realm.push', true), '') <> 'on' or new._rx is distinct from pg_current_xact_id()) execute function "app"."Person.tags$stamp"();

create or replace trigger realm_update before update on "app"."Person.tags" for each row when (coalesce(current_setting('realm.push', true), '') <> 'on' or new._rx is distinct from pg_current_xact_id()) execute function "app"."Person.tags$stamp"();

create or replace trigger realm_gone after delete on "app"."Person.tags" for each row execute function "app"."Person.tags$gone"();

create or replace trigger realm_left after update on "app"."Person.tags" for each row when (old.owner is distinct from new.owner or old.value is distinct from new.value) execute function "app"."Person.tags$gone"();

create or replace trigger realm_truncate before truncate on "app"."Person.tags" for each statement execute function realm.refuse_truncate();

insert into realm.property (class, name, number, type, nullable, collection, target) values
  ('Person', 'moods', 5,
    'text', true,
    'set', null);

create table "app"."Person.moods" (
  owner bigint not null
    references "app"."Person" on delete cascade on update cascade,
  value text collate "C",
  _at bigint not null default realm.now_hlc(),
  _rx xid8 not null default pg_current_xact_id(),
  unique nulls not distinct (owner, value));

create index on "app"."Person.moods" (_rx);

create table "app"."Person.moods$gone" (
  owner bigint not null,
  value text collate "C",
  _died bigint not null,
  _rx xid8 not null default pg_current_xact_id(),
  unique nulls not distinct (owner, value));

create index on "app"."Person.moods$gone" (_rx);

grant select, insert, update, delete on "app"."Person.moods" to realm_user;

grant select on "app"."Person.moods$gone" to realm_user;

alter table "app"."Person.moods" enable row level security;

alter table "app"."Person.moods$gone" enable row level security;

drop policy if exists realm_read on "app"."Person.moods$gone";

create policy realm_read on "app"."Person.moods$gone" for select using (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.moods$gone".owner));

drop policy if exists realm_read on "app"."Person.moods";

create policy realm_read on "app"."Person.moods" for select using (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.moods".owner));

drop policy if exists realm_write_new on "app"."Person.moods";

create policy realm_write_new on "app"."Person.moods" for insert with check (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.moods".owner));

drop policy if exists realm_write on "app"."Person.moods";

create policy realm_write on "app"."Person.moods" for update using (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.moods".owner)) with check (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.moods".owner));

drop policy if exists realm_delete on "app"."Person.moods";

create policy realm_delete on "app"."Person.moods" for delete using (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.moods".owner));

create or replace function "app"."Person.moods$bury"(bigint[], text[], bigint[]) returns void language sql volatile security definer set search_path = pg_catalog, pg_temp as $realm$
with removal as materialized (
  select u.owner, u.element, max(least(greatest(u.at, 0), realm.now_hlc() + (60000::bigint << 16))) as at
    from unnest($1, $2, $3) u(owner, element, at)
    where exists (select from "app"."Person" p where p."id" = u.owner)
      and not case when u.element is null then exists (select from "app"."Person.moods" t where t.owner = u.owner and t.value is null) else exists (select from "app"."Person.moods" t where t.owner = u.owner and t.value = u.element) end
    group by u.owner, u.element)
insert into "app"."Person.moods$gone" as g (owner, value, _died)
  select r.owner, r.element, r.at from removal r order by r.owner, r.element
  on conflict (owner, value) do update
    set _died = greatest(g._died, excluded._died), _rx = excluded._rx$realm$;

create or replace function "app"."Person.moods$gone"() returns trigger language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $realm$
declare
  realm$seen bigint := least(old._at, realm.now_hlc() + (60000::bigint << 16));
begin
  if exists (select from "app"."Person" p
      where p."id" = old.owner) then
    insert into "app"."Person.moods$gone" as g (owner, value, _died) values (old.owner, old.value,
        case when coalesce(current_setting('realm.push', true), '') = 'on' then realm$seen
          else greatest(realm.now_hlc(), realm$seen + 1) end)
      on conflict (owner, value) do update
        set _died = greatest(g._died, excluded._died), _rx = excluded._rx;
  end if;
  return null;
end$realm$;

create or replace function "app"."Person.moods$stamp"() returns trigger language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $realm$
declare
  realm$limit bigint := realm.now_hlc() + (60000::bigint << 16);
begin
  if tg_op = 'INSERT' or new.owner is distinct from old.owner or new.value is distinct from old.value then
    new._at := greatest(realm.now_hlc(), 1 + least(realm$limit, coalesce((select max(g._died) from "app"."Person.moods$gone" g where g.owner = new.owner and (g.value = new.value or new.value is null and g.value is null)), 0)));
  elsif new is distinct from old then
    new._at := greatest(realm.now_hlc(), least(old._at, realm$limit) + 1);
  end if;
  new._rx := pg_current_xact_id();
  return new;
end$realm$;

create or replace function "app"."Person.moods$cut"() returns trigger language plpgsql volatile as $realm$
declare
  realm$limit bigint := realm.now_hlc() + (60000::bigint << 16);
begin
  new._at := greatest(0, least(new._at, realm$limit));
  return new;
end$realm$;

create or replace function "app"."Person.moods$stage"() returns void language plpgsql volatile as $realm$
begin
  if to_regclass('pg_temp."Person.moods$in"') is not null and 5 <> (select count(*) from pg_catalog.pg_attribute a
      where a.attrelid = to_regclass('pg_temp."Person.moods$in"') and a.attnum > 0 and not a.attisdropped) then
    drop table pg_temp."Person.moods$in";
  end if;
  if to_regclass('pg_temp."Person.moods$in"') is null then
    create temp table "Person.moods$in" (
      _n bigint generated by default as identity,
      _op "char" not null check (_op in ('i', 'd')),
      owner bigint not null,
      value text collate "C",
      _at bigint not null) on commit delete rows;
  end if;
end$realm$;

create or replace function "app"."Person.moods$fail"(bigint, text) returns void language plpgsql volatile as $realm$
begin
  insert into pg_temp."$out"
    select distinct 'Person', s.owner::text, $2, 'moods' from pg_temp."Person.moods$in" s where s._n = $1;
end$realm$;

create or replace function "app"."Person.moods$merge"(bigint, bigint) returns void language plpgsql volatile as $realm$
declare
  realm$x xid8 := pg_current_xact_id();
  realm$seen pg_snapshot := pg_current_snapshot();
  realm$limit bigint := realm.now_hlc() + (60000::bigint << 16);
  realm$owners bigint[];
begin
  update pg_temp."Person.moods$in" s set _at = realm$limit where s._n between $1 and $2 and s._at > realm$limit;
  realm$owners := array(select p."id" from "app"."Person" p
    where p."id" in (select s.owner from pg_temp."Person.moods$in" s where s._n between $1 and $2) order by p."id" for no key update);
  insert into pg_temp."$out" (class, key, reason, property)
    with writable as materialized (select w.owner from unnest(realm$owners) w(owner)),
      dead as materialized (select d._key, d._died from "app"."Person$dead"((
        select array_agg(distinct s.owner) from pg_temp."Person.moods$in" s where s._n between $1 and $2 and s._op = 'i')) d)
    select distinct 'Person', s.owner::text,
        case when writable.owner is not null then 'lost' when (p._rin = realm$x or pg_visible_in_snapshot(p._rin, realm$seen)) then 'denied' else 'gone' end, 'moods'
      from pg_temp."Person.moods$in" s left join "app"."Person" p on p."id" = s.owner
        left join writable on writable.owner = s.owner left join dead on dead._key = s.owner
        left join "app"."Person.moods" t on t.owner = s.owner and t.value = s.value
        left join "app"."Person.moods$gone" g on g.owner = s.owner and g.value = s.value
      where s.value is not null and s._n between $1 and $2 and (writable.owner is null
        or s._op = 'i' and (dead._died >= s._at or g._died >= s._at)
        or s._op = 'd' and t._at > s._at);
  delete from "app"."Person.moods" t using pg_temp."Person.moods$in" s, unnest(realm$owners) w(owner)
    where s.value is not null and s._n between $1 and $2 and s._op = 'd' and w.owner = s.owner and t.owner = s.owner and t.value = s.value and t._at <= s._at;
  insert into pg_temp."$out" (class, key, reason, property)
    select distinct 'Person', s.owner::text,
        case when (t._rx = realm$x or pg_visible_in_snapshot(t._rx, realm$seen)) then 'denied' else 'lost' end, 'moods'
      from pg_temp."Person.moods$in" s join unnest(realm$owners) w(owner) on w.owner = s.owner
        join "app"."Person.moods" t on t.owner = s.owner and t.value = s.value
      where s.value is not null and s._n between $1 and $2 and s._op = 'd' and t._at <= s._at;
  insert into pg_temp."$out" (class, key, reason, property)
    with writable as materialized (select w.owner from unnest(realm$owners) w(owner)),
      dead as materialized (select d._key, d._died from "app"."Person$dead"((
        select array_agg(distinct s.owner) from pg_temp."Person.moods$in" s where s._n between $1 and $2 and s._op = 'i')) d)
    select distinct 'Person', s.owner::text,
        case when writable.owner is not null then 'lost' when (p._rin = realm$x or pg_visible_in_snapshot(p._rin, realm$seen)) then 'denied' else 'gone' end, 'moods'
      from pg_temp."Person.moods$in" s left join "app"."Person" p on p."id" = s.owner
        left join writable on writable.owner = s.owner left join dead on dead._key = s.owner
        left join "app"."Person.moods" t on t.owner = s.owner and t.value is null
        left join "app"."Person.moods$gone" g on g.owner = s.owner and g.value is null
      where s.value is null and s._n between $1 and $2 and (writable.owner is null
        or s._op = 'i' and (dead._died >= s._at or g._died >= s._at)
        or s._op = 'd' and t._at > s._at);
  delete from "app"."Person.moods" t using pg_temp."Person.moods$in" s, unnest(realm$owners) w(owner)
    where s.value is null and s._n between $1 and $2 and s._op = 'd' and w.owner = s.owner and t.owner = s.owner and t.value is null and t._at <= s._at;
  insert into pg_temp."$out" (class, key, reason, property)
    select distinct 'Person', s.owner::text,
        case when (t._rx = realm$x or pg_visible_in_snapshot(t._rx, realm$seen)) then 'denied' else 'lost' end, 'moods'
      from pg_temp."Person.moods$in" s join unnest(realm$owners) w(owner) on w.owner = s.owner
        join "app"."Person.moods" t on t.owner = s.owner and t.value is null
      where s.value is null and s._n between $1 and $2 and s._op = 'd' and t._at <= s._at;
  perform "app"."Person.moods$bury"(array_agg(s.owner), array_agg(s.value), array_agg(s._at))
    from pg_temp."Person.moods$in" s join unnest(realm$owners) w(owner) on w.owner = s.owner
    where s._n between $1 and $2 and s._op = 'd' having count(*) > 0;
  with writable as materialized (select w.owner from unnest(realm$owners) w(owner)),
      dead as materialized (select d._key, d._died from "app"."Person$dead"((
        select array_agg(distinct s.owner) from pg_temp."Person.moods$in" s where s._n between $1 and $2 and s._op = 'i')) d)
  insert into "app"."Person.moods" as t (owner, value, _at, _rx)
    select distinct on (s.owner, s.value) s.owner, s.value, s._at, realm$x
      from pg_temp."Person.moods$in" s join writable on writable.owner = s.owner left join dead on dead._key = s.owner
        left join "app"."Person.moods$gone" g on g.owner = s.owner and g.value = s.value
      where s.value is not null and s._n between $1 and $2 and s._op = 'i' and (dead._died is null or dead._died < s._at)
        and (g._died is null or g._died < s._at)
      order by s.owner, s.value, s._at desc
    on conflict (owner, value) do update set
      _at = greatest(t._at, excluded._at), _rx = realm$x;
  if exists (select from pg_catalog.pg_trigger g where g.tgrelid = '"app"."Person.moods"'::regclass
      and not g.tgisinternal and g.tgname <> all ('{realm_cut,realm_insert,realm_update,realm_gone,realm_left,realm_truncate}')) then
  insert into pg_temp."$out" (class, key, reason, property)
    with missing as materialized (
        select s.owner, s.value, s._at as _at from pg_temp."Person.moods$in" s
          left join "app"."Person.moods" t on t.owner = s.owner and t.value = s.value
          where s.value is not null and s._n between $1 and $2 and s._op = 'i' and t._rx is distinct from realm$x),
      dead as materialized (select d._key, d._died from "app"."Person$dead"((
        select array_agg(distinct s.owner) from missing s)) d)
    select distinct 'Person', s.owner::text, 'denied', 'moods'
      from missing s join unnest(realm$owners) w(owner) on w.owner = s.owner
        left join dead on dead._key = s.owner left join "app"."Person.moods$gone" g on g.owner = s.owner and g.value = s.value
      where (dead._died is null or dead._died < s._at) and (g._died is null or g._died < s._at);
  end if;
  with writable as materialized (select w.owner from unnest(realm$owners) w(owner)),
      dead as materialized (select d._key, d._died from "app"."Person$dead"((
        select array_agg(distinct s.owner) from pg_temp."Person.moods$in" s where s._n between $1 and $2 and s._op = 'i')) d)
  insert into "app"."Person.moods" as t (owner, value, _at, _rx)
    select distinct on (s.owner, s.value) s.owner, s.value, s._at, realm$x
      from pg_temp."Person.moods$in" s join writable on writable.owner = s.owner left join dead on dead._key = s.owner
        left join "app"."Person.moods$gone" g on g.owner = s.owner and g.value is null
      where s.value is null and s._n between $1 and $2 and s._op = 'i' and (dead._died is null or dead._died < s._at)
        and (g._died is null or g._died < s._at)
      order by s.owner, s.value, s._at desc
    on conflict (owner, value) do update set
      _at = greatest(t._at, excluded._at), _rx = realm$x;
  if exists (select from pg_catalog.pg_trigger g where g.tgrelid = '"app"."Person.moods"'::regclass
      and not g.tgisinternal and g.tgname <> all ('{realm_cut,realm_insert,realm_update,realm_gone,realm_left,realm_truncate}')) then
  insert into pg_temp."$out" (class, key, reason, property)
    with missing as materialized (
        select s.owner, s.value, s._at as _at from pg_temp."Person.moods$in" s
          left join "app"."Person.moods" t on t.owner = s.owner and t.value is null
          where s.value is null and s._n between $1 and $2 and s._op = 'i' and t._rx is distinct from realm$x),
      dead as materialized (select d._key, d._died from "app"."Person$dead"((
        select array_agg(distinct s.owner) from missing s)) d)
    select distinct 'Person', s.owner::text, 'denied', 'moods'
      from missing s join unnest(realm$owners) w(owner) on w.owner = s.owner
        left join dead on dead._key = s.owner left join "app"."Person.moods$gone" g on g.owner = s.owner and g.value is null
      where (dead._died is null or dead._died < s._at) and (g._died is null or g._died < s._at);
  end if;
end$realm$;

revoke execute on function "app"."Person.moods$bury"(bigint[], text[], bigint[]) from public;

grant execute on function "app"."Person.moods$bury"(bigint[], text[], bigint[]) to realm_user;

create or replace trigger realm_cut before insert or update on "app"."Person.moods" for each row when (least(new._at) < 0 or greatest(new._at) > realm.now_hlc() + (60000::bigint << 16)) execute function "app"."Person.moods$cut"();

create or replace trigger realm_insert before insert on "app"."Person.moods" for each row when (coalesce(current_setting('realm.push', true), '') <> 'on' or new._rx is distinct from pg_current_xact_id()) execute function "app"."Person.moods$stamp"();

create or replace trigger realm_update before update on "app"."Person.moods" for each row when (coalesce(current_setting('realm.push', true), '') <> 'on' or new._rx is distinct from pg_current_xact_id()) execute function "app"."Person.moods$stamp"();

create or replace trigger realm_gone after delete on "app"."Person.moods" for each row execute function "app"."Person.moods$gone"();

create or replace trigger realm_left after update on "app"."Person.moods" for each row when (old.owner is distinct from new.owner or old.value is distinct from new.value) execute function "app"."Person.moods$gone"();

create or replace trigger realm_truncate before truncate on "app"."Person.moods" for each statement execute function realm.refuse_truncate();

insert into realm.property (class, name, number, type, nullable, collection, target) values
  ('Person', 'scores', 6,
    'bigint', false,
    'map', null);

create table "app"."Person.scores" (
  owner bigint not null
    references "app"."Person" on delete cascade on update cascade,
  key text collate "C" not null,
  value bigint not null,
  _at bigint not null default realm.now_hlc(),
  _rx xid8 not null default pg_current_xact_id(),
  primary key (owner, key));

create index on "app"."Person.scores" (_rx);

create table "app"."Person.scores$gone" (
  owner bigint not null,
  key text collate "C",
  _died bigint not null,
  _rx xid8 not null default pg_current_xact_id(),
  primary key (owner, key));

create index on "app"."Person.scores$gone" (_rx);

grant select, insert, update, delete on "app"."Person.scores" to realm_user;

grant select on "app"."Person.scores$gone" to realm_user;

alter table "app"."Person.scores" enable row level security;

alter table "app"."Person.scores$gone" enable row level security;

drop policy if exists realm_read on "app"."Person.scores$gone";

create policy realm_read on "app"."Person.scores$gone" for select using (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.scores$gone".owner));

drop policy if exists realm_read on "app"."Person.scores";

create policy realm_read on "app"."Person.scores" for select using (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.scores".owner));

drop policy if exists realm_write_new on "app"."Person.scores";

create policy realm_write_new on "app"."Person.scores" for insert with check (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.scores".owner));

drop policy if exists realm_write on "app"."Person.scores";

create policy realm_write on "app"."Person.scores" for update using (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.scores".owner)) with check (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.scores".owner));

drop policy if exists realm_delete on "app"."Person.scores";

create policy realm_delete on "app"."Person.scores" for delete using (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.scores".owner));

create or replace function "app"."Person.scores$bury"(bigint[], text[], bigint[]) returns void language sql volatile security definer set search_path = pg_catalog, pg_temp as $realm$
with removal as materialized (
  select u.owner, u.element, max(least(greatest(u.at, 0), realm.now_hlc() + (60000::bigint << 16))) as at
    from unnest($1, $2, $3) u(owner, element, at)
    where exists (select from "app"."Person" p where p."id" = u.owner)
      and not exists (select from "app"."Person.scores" t where t.owner = u.owner and t.key = u.element)
    group by u.owner, u.element)
insert into "app"."Person.scores$gone" as g (owner, key, _died)
  select r.owner, r.element, r.at from removal r order by r.owner, r.element
  on conflict (owner, key) do update
    set _died = greatest(g._died, excluded._died), _rx = excluded._rx$realm$;

create or replace function "app"."Person.scores$gone"() returns trigger language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $realm$
declare
  realm$seen bigint := least(old._at, realm.now_hlc() + (60000::bigint << 16));
begin
  if exists (select from "app"."Person" p
      where p."id" = old.owner) then
    insert into "app"."Person.scores$gone" as g (owner, key, _died) values (old.owner, old.key,
        case when coalesce(current_setting('realm.push', true), '') = 'on' then realm$seen
          else greatest(realm.now_hlc(), realm$seen + 1) end)
      on conflict (owner, key) do update
        set _died = greatest(g._died, excluded._died), _rx = excluded._rx;
  end if;
  return null;
end$realm$;

create or replace function "app"."Person.scores$stamp"() returns trigger language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $realm$
declare
  realm$limit bigint := realm.now_hlc() + (60000::bigint << 16);
begin
  if tg_op = 'INSERT' or new.owner is distinct from old.owner or new.key is distinct from old.key then
    new._at := greatest(realm.now_hlc(), 1 + least(realm$limit, coalesce((select max(g._died) from "app"."Person.scores$gone" g where g.owner = new.owner and g.key = new.key), 0)));
  elsif new is distinct from old then
    new._at := greatest(realm.now_hlc(), least(old._at, realm$limit) + 1);
  end if;
  new._rx := pg_current_xact_id();
  return new;
end$realm$;

create or replace function "app"."Person.scores$cut"() returns trigger language plpgsql volatile as $realm$
declare
  realm$limit bigint := realm.now_hlc() + (60000::bigint << 16);
begin
  new._at := greatest(0, least(new._at, realm$limit));
  return new;
end$realm$;

create or replace function "app"."Person.scores$stage"() returns void language plpgsql volatile as $realm$
begin
  if to_regclass('pg_temp."Person.scores$in"') is not null and 6 <> (select count(*) from pg_catalog.pg_attribute a
      where a.attrelid = to_regclass('pg_temp."Person.scores$in"') and a.attnum > 0 and not a.attisdropped) then
    drop table pg_temp."Person.scores$in";
  end if;
  if to_regclass('pg_temp."Person.scores$in"') is null then
    create temp table "Person.scores$in" (
      _n bigint generated by default as identity,
      _op "char" not null check (_op in ('i', 'd')),
      owner bigint not null,
      key text collate "C" not null,
      value bigint,
      _at bigint not null) on commit delete rows;
  end if;
end$realm$;

create or replace function "app"."Person.scores$fail"(bigint, text) returns void language plpgsql volatile as $realm$
begin
  insert into pg_temp."$out"
    select distinct 'Person', s.owner::text, $2, 'scores' from pg_temp."Person.scores$in" s where s._n = $1;
end$realm$;

create or replace function "app"."Person.scores$merge"(bigint, bigint) returns void language plpgsql volatile as $realm$
declare
  realm$x xid8 := pg_current_xact_id();
  realm$seen pg_snapshot := pg_current_snapshot();
  realm$limit bigint := realm.now_hlc() + (60000::bigint << 16);
  realm$owners bigint[];
begin
  update pg_temp."Person.scores$in" s set _at = realm$limit where s._n between $1 and $2 and s._at > realm$limit;
  realm$owners := array(select p."id" from "app"."Person" p
    where p."id" in (select s.owner from pg_temp."Person.scores$in" s where s._n between $1 and $2) order by p."id" for no key update);
  insert into pg_temp."$out" (class, key, reason, property)
    with writable as materialized (select w.owner from unnest(realm$owners) w(owner)),
      dead as materialized (select d._key, d._died from "app"."Person$dead"((
        select array_agg(distinct s.owner) from pg_temp."Person.scores$in" s where s._n between $1 and $2 and s._op = 'i')) d)
    select distinct 'Person', s.owner::text,
        case when writable.owner is not null then 'lost' when (p._rin = realm$x or pg_visible_in_snapshot(p._rin, realm$seen)) then 'denied' else 'gone' end, 'scores'
      from pg_temp."Person.scores$in" s left join "app"."Person" p on p."id" = s.owner
        left join writable on writable.owner = s.owner left join dead on dead._key = s.owner
        left join "app"."Person.scores" t on t.owner = s.owner and t.key = s.key
        left join "app"."Person.scores$gone" g on g.owner = s.owner and g.key = s.key
      where s._n between $1 and $2 and (writable.owner is null
        or s._op = 'i' and (dead._died >= s._at or g._died >= s._at or t._at > s._at or t._at = s._at and t.value is distinct from s.value)
        or s._op = 'd' and t._at > s._at);
  delete from "app"."Person.scores" t using pg_temp."Person.scores$in" s, unnest(realm$owners) w(owner)
    where s._n between $1 and $2 and s._op = 'd' and w.owner = s.owner and t.owner = s.owner and t.key = s.key and t._at <= s._at;
  insert into pg_temp."$out" (class, key, reason, property)
    select distinct 'Person', s.owner::text,
        case when (t._rx = realm$x or pg_visible_in_snapshot(t._rx, realm$seen)) then 'denied' else 'lost' end, 'scores'
      from pg_temp."Person.scores$in" s join unnest(realm$owners) w(owner) on w.owner = s.owner
        join "app"."Person.scores" t on t.owner = s.owner and t.key = s.key
      where s._n between $1 and $2 and s._op = 'd' and t._at <= s._at;
  perform "app"."Person.scores$bury"(array_agg(s.owner), array_agg(s.key), array_agg(s._at))
    from pg_temp."Person.scores$in" s join unnest(realm$owners) w(owner) on w.owner = s.owner
    where s._n between $1 and $2 and s._op = 'd' having count(*) > 0;
  with writable as materialized (select w.owner from unnest(realm$owners) w(owner)),
      dead as materialized (select d._key, d._died from "app"."Person$dead"((
        select array_agg(distinct s.owner) from pg_temp."Person.scores$in" s where s._n between $1 and $2 and s._op = 'i')) d)
  insert into "app"."Person.scores" as t (owner, key, value, _at, _rx)
    select distinct on (s.owner, s.key) s.owner, s.key, s.value, s._at, realm$x
      from pg_temp."Person.scores$in" s join writable on writable.owner = s.owner left join dead on dead._key = s.owner
        left join "app"."Person.scores$gone" g on g.owner = s.owner and g.key = s.key
      where s._n between $1 and $2 and s._op = 'i' and (dead._died is null or dead._died < s._at)
        and (g._died is null or g._died < s._at)
      order by s.owner, s.key, s._at desc
    on conflict (owner, key) do update set
      value = case when excluded._at > t._at then excluded.value else t.value end, _at = greatest(t._at, excluded._at), _rx = realm$x;
  if exists (select from pg_catalog.pg_trigger g where g.tgrelid = '"app"."Person.scores"'::regclass
      and not g.tgisinternal and g.tgname <> all ('{realm_cut,realm_insert,realm_update,realm_gone,realm_left,realm_truncate}')) then
  insert into pg_temp."$out" (class, key, reason, property)
    with missing as materialized (
        select s.owner, s.key, s._at as _at from pg_temp."Person.scores$in" s
          left join "app"."Person.scores" t on t.owner = s.owner and t.key = s.key
          where s._n between $1 and $2 and s._op = 'i' and t._rx is distinct from realm$x),
      dead as materialized (select d._key, d._died from "app"."Person$dead"((
        select array_agg(distinct s.owner) from missing s)) d)
    select distinct 'Person', s.owner::text, 'denied', 'scores'
      from missing s join unnest(realm$owners) w(owner) on w.owner = s.owner
        left join dead on dead._key = s.owner left join "app"."Person.scores$gone" g on g.owner = s.owner and g.key = s.key
      where (dead._died is null or dead._died < s._at) and (g._died is null or g._died < s._at);
  end if;
end$realm$;

revoke execute on function "app"."Person.scores$bury"(bigint[], text[], bigint[]) from public;

grant execute on function "app"."Person.scores$bury"(bigint[], text[], bigint[]) to realm_user;

create or replace trigger realm_cut before insert or update on "app"."Person.scores" for each row when (least(new._at) < 0 or greatest(new._at) > realm.now_hlc() + (60000::bigint << 16)) execute function "app"."Person.scores$cut"();

create or replace trigger realm_insert before insert on "app"."Person.scores" for each row when (coalesce(current_setting('realm.push', true), '') <> 'on' or new._rx is distinct from pg_current_xact_id()) execute function "app"."Person.scores$stamp"();

create or replace trigger realm_update before update on "app"."Person.scores" for each row when (coalesce(current_setting('realm.push', true), '') <> 'on' or new._rx is distinct from pg_current_xact_id()) execute function "app"."Person.scores$stamp"();

create or replace trigger realm_gone after delete on "app"."Person.scores" for each row execute function "app"."Person.scores$gone"();

create or replace trigger realm_left after update on "app"."Person.scores" for each row when (old.owner is distinct from new.owner or old.key is distinct from new.key) execute function "app"."Person.scores$gone"();

create or replace trigger realm_truncate before truncate on "app"."Person.scores" for each statement execute function realm.refuse_truncate();

insert into realm.property (class, name, number, type, nullable, collection, target) values
  ('Person', 'notes', 7,
    'text', true,
    'list', null);

create table "app"."Person.notes" (
  owner bigint not null
    references "app"."Person" on delete cascade on update cascade,
  _el bigint not null,
  _key bytea not null,
  value text collate "C",
  _ks bigint not null default realm.now_hlc(),
  _vs bigint not null default realm.now_hlc(),
  _rx xid8 not null default pg_current_xact_id(),
  primary key (owner, _el));

create index on "app"."Person.notes" (_rx);

create table "app"."Person.notes$gone" (
  owner bigint not null,
  _el bigint,
  _died bigint not null,
  _rx xid8 not null default pg_current_xact_id(),
  primary key (owner, _el));

create index on "app"."Person.notes$gone" (_rx);

grant select, insert, update, delete on "app"."Person.notes" to realm_user;

grant select on "app"."Person.notes$gone" to realm_user;

create index on "app"."Person.notes" (owner, _key, _el);

alter table "app"."Person.notes" enable row level security;

alter table "app"."Person.notes$gone" enable row level security;

drop policy if exists realm_read on "app"."Person.notes$gone";

create policy realm_read on "app"."Person.notes$gone" for select using (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.notes$gone".owner));

drop policy if exists realm_read on "app"."Person.notes";

create policy realm_read on "app"."Person.notes" for select using (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.notes".owner));

drop policy if exists realm_write_new on "app"."Person.notes";

create policy realm_write_new on "app"."Person.notes" for insert with check (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.notes".owner));

drop policy if exists realm_write on "app"."Person.notes";

create policy realm_write on "app"."Person.notes" for update using (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.notes".owner)) with check (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.notes".owner));

drop policy if exists realm_delete on "app"."Person.notes";

create policy realm_delete on "app"."Person.notes" for delete using (exists (select from "app"."Person" where "app"."Person"."id" = "app"."Person.notes".owner));

create sequence "app"."Person.notes$el" maxvalue 1099511627775;

create or replace function realm.key_after(last bytea) returns bytea language plpgsql immutable as $realm$
declare
  first int;
  size int := 0;
  n numeric := 0;
  digits bytea := '';
begin
  if last is null or length(last) = 0 then return '\x808080'; end if;
  first := get_byte(last, 0);
  if first < 80 then return '\x808080'; end if;
  if first <= 175 then
    n := first - 128;
  else
    size := first - 175;
    -- Not a key that a client has made: what begins with it is greater.
    if size > 8 or length(last) <= size then return last || '\x808080'::bytea; end if;
    for place in 1..size loop n := n * 256 + get_byte(last, place); end loop;
    n := n + 48;
  end if;
  n := n + 64;
  if n <= 47 then return set_byte('\x00'::bytea, 0, (n + 128)::int) || '\x8080'::bytea; end if;
  n := n - 48;
  while n > 0 or length(digits) = 0 loop
    digits := set_byte('\x00'::bytea, 0, mod(n, 256)::int) || digits;
    n := div(n, 256);
  end loop;
  if length(digits) > 8 then return last || '\x808080'::bytea; end if;
  return set_byte('\x00'::bytea, 0, 175 + length(digits)) || digits || '\x8080'::bytea;
end$realm$;

create or replace function "app"."Person.notes$bury"(bigint[], bigint[], bigint[]) returns void language sql volatile security definer set search_path = pg_catalog, pg_temp as $realm$
with removal as materialized (
  select u.owner, u.element, max(least(greatest(u.at, 0), realm.now_hlc() + (60000::bigint << 16))) as at
    from unnest($1, $2, $3) u(owner, element, at)
    where exists (select from "app"."Person" p where p."id" = u.owner)
      and not exists (select from "app"."Person.notes" t where t.owner = u.owner and t._el = u.element)
    group by u.owner, u.element)
insert into "app"."Person.notes$gone" as g (owner, _el, _died)
  select r.owner, r.element, r.at from removal r order by r.owner, r.element
  on conflict (owner, _el) do update
    set _died = greatest(g._died, excluded._died), _rx = excluded._rx$realm$;

create or replace function "app"."Person.notes$gone"() returns trigger language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $realm$
declare
  realm$seen bigint := least(greatest(old._ks, old._vs), realm.now_hlc() + (60000::bigint << 16));
begin
  if exists (select from "app"."Person" p
      where p."id" = old.owner) then
    insert into "app"."Person.notes$gone" as g (owner, _el, _died) values (old.owner, old._el,
        case when coalesce(current_setting('realm.push', true), '') = 'on' then realm$seen
          else greatest(realm.now_hlc(), realm$seen + 1) end)
      on conflict (owner, _el) do update
        set _died = greatest(g._died, excluded._died), _rx = excluded._rx;
  end if;
  return null;
end$realm$;

create or replace function "app"."Person.notes$stamp"() returns trigger language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $realm$
declare
  realm$limit bigint := realm.now_hlc() + (60000::bigint << 16);
begin
  if tg_op = 'INSERT' or new.owner is distinct from old.owner then
    new._el := nextval('"app"."Person.notes$el"');
    if tg_op = 'INSERT' then
      new._key := realm.key_after((select e._key from "app"."Person.notes" e where e.owner = new.owner order by e._key desc limit 1));
    end if;
    new._ks := realm.now_hlc();
    new._vs := new._ks;
  else
    new._el := old._el;
    new._ks := old._ks;
    new._vs := old._vs;
    if new._key is distinct from old._key then new._ks := greatest(realm.now_hlc(), least(old._ks, realm$limit) + 1); end if;
    if new.value is distinct from old.value then new._vs := greatest(realm.now_hlc(), least(old._vs, realm$limit) + 1); end if;
  end if;
  new._rx := pg_current_xact_id();
  return new;
end$realm$;

create or replace function "app"."Person.notes$cut"() returns trigger language plpgsql volatile as $realm$
declare
  realm$limit bigint := realm.now_hlc() + (60000::bigint << 16);
begin
  new._ks := greatest(0, least(new._ks, realm$limit));
  new._vs := greatest(0, least(new._vs, realm$limit));
  return new;
end$realm$;

create or replace function "app"."Person.notes$stage"() returns void language plpgsql volatile as $realm$
begin
  if to_regclass('pg_temp."Person.notes$in"') is not null and 8 <> (select count(*) from pg_catalog.pg_attribute a
      where a.attrelid = to_regclass('pg_temp."Person.notes$in"') and a.attnum > 0 and not a.attisdropped) then
    drop table pg_temp."Person.notes$in";
  end if;
  if to_regclass('pg_temp."Person.notes$in"') is null then
    create temp table "Person.notes$in" (
      _n bigint generated by default as identity,
      _op "char" not null check (_op in ('i', 'u', 'd')),
      owner bigint not null,
      _el bigint not null,
      _key bytea,
      value text collate "C",
      _ks bigint,
      _vs bigint) on commit delete rows;
  end if;
end$realm$;

create or replace function "app"."Person.notes$fail"(bigint, text) returns void language plpgsql volatile as $realm$
begin
  insert into pg_temp."$out"
    select distinct 'Person', s.owner::text, $2, 'notes' from pg_temp."Person.notes$in" s where s._n = $1;
end$realm$;

create or replace function "app"."Person.notes$merge"(bigint, bigint) returns void language plpgsql volatile as $realm$
declare
  realm$x xid8 := pg_current_xact_id();
  realm$seen pg_snapshot := pg_current_snapshot();
  realm$limit bigint := realm.now_hlc() + (60000::bigint << 16);
  realm$owners bigint[];
begin
  update pg_temp."Person.notes$in" s set _ks = case when s._ks > realm$limit then realm$limit else s._ks end,
      _vs = case when s._vs > realm$limit then realm$limit else s._vs end
    where s._n between $1 and $2 and (s._ks > realm$limit or s._vs > realm$limit);
  realm$owners := array(select p."id" from "app"."Person" p
    where p."id" in (select s.owner from pg_temp."Person.notes$in" s where s._n between $1 and $2) order by p."id" for no key update);
  insert into pg_temp."$out" (class, key, reason, property)
    with writable as materialized (select w.owner from unnest(realm$owners) w(owner)),
      dead as materialized (select d._key, d._died from "app"."Person$dead"((
        select array_agg(distinct s.owner) from pg_temp."Person.notes$in" s where s._n between $1 and $2 and s._op = 'i')) d)
    select distinct 'Person', s.owner::text,
        case when writable.owner is not null then 'lost' when (p._rin = realm$x or pg_visible_in_snapshot(p._rin, realm$seen)) then 'denied' else 'gone' end, 'notes'
      from pg_temp."Person.notes$in" s left join "app"."Person" p on p."id" = s.owner
        left join writable on writable.owner = s.owner left join dead on dead._key = s.owner
        left join "app"."Person.notes" t on t.owner = s.owner and t._el = s._el
        left join "app"."Person.notes$gone" g on g.owner = s.owner and g._el = s._el
      where s._n between $1 and $2 and (writable.owner is null
        or s._op = 'i' and (dead._died >= s._ks or g._el is not null)
        or s._op = 'u' and t._el is null
        or s._op <> 'd' and (s._ks < t._ks or s._vs < t._vs
          or s._ks = t._ks and s._key <> t._key or s._vs = t._vs and s.value is distinct from t.value));
  delete from "app"."Person.notes" t using pg_temp."Person.notes$in" s, unnest(realm$owners) w(owner)
    where s._n between $1 and $2 and s._op = 'd' and w.owner = s.owner and t.owner = s.owner and t._el = s._el;
  insert into pg_temp."$out" (class, key, reason, property)
    select distinct 'Person', s.owner::text, 'denied', 'notes'
      from pg_temp."Person.notes$in" s join unnest(realm$owners) w(owner) on w.owner = s.owner
        join "app"."Person.notes" t on t.owner = s.owner and t._el = s._el
      where s._n between $1 and $2 and s._op = 'd';
  perform "app"."Person.notes$bury"(array_agg(s.owner), array_agg(s._el), array_agg(s._ks))
    from pg_temp."Person.notes$in" s join unnest(realm$owners) w(owner) on w.owner = s.owner
    where s._n between $1 and $2 and s._op = 'd' having count(*) > 0;
  with writable as materialized (select w.owner from unnest(realm$owners) w(owner)),
      dead as materialized (select d._key, d._died from "app"."Person$dead"((
        select array_agg(distinct s.owner) from pg_temp."Person.notes$in" s where s._n between $1 and $2 and s._op = 'i')) d)
  insert into "app"."Person.notes" as t (owner, _el, _key, value, _ks, _vs, _rx)
    select s.owner, s._el, s._key, s.value, s._ks, s._vs, realm$x
      from pg_temp."Person.notes$in" s join writable on writable.owner = s.owner left join dead on dead._key = s.owner
        left join "app"."Person.notes$gone" g on g.owner = s.owner and g._el = s._el
      where s._n between $1 and $2 and s._op = 'i' and (dead._died is null or dead._died < s._ks) and g._el is null
      order by s.owner, s._el
    on conflict (owner, _el) do update set
      _key = case when excluded._ks > t._ks then excluded._key else t._key end, _ks = greatest(t._ks, excluded._ks),
      value = case when excluded._vs > t._vs then excluded.value else t.value end, _vs = greatest(t._vs, excluded._vs),
      _rx = realm$x;
  if exists (select from pg_catalog.pg_trigger g where g.tgrelid = '"app"."Person.notes"'::regclass
      and not g.tgisinternal and g.tgname <> all ('{realm_cut,realm_insert,realm_update,realm_gone,realm_left,realm_truncate}')) then
  insert into pg_temp."$out" (class, key, reason, property)
    with missing as materialized (
        select s.owner, s._el, s._ks as _at from pg_temp."Person.notes$in" s
          left join "app"."Person.notes" t on t.owner = s.owner and t._el = s._el
          where s._n between $1 and $2 and s._op = 'i' and t._rx is distinct from realm$x),
      dead as materialized (select d._key, d._died from "app"."Person$dead"((
        select array_agg(distinct s.owner) from missing s)) d)
    select distinct 'Person', s.owner::text, 'denied', 'notes'
      from missing s join unnest(realm$owners) w(owner) on w.owner = s.owner
        left join dead on dead._key = s.owner left join "app"."Person.notes$gone" g on g.owner = s.owner and g._el = s._el
      where (dead._died is null or dead._died < s._at) and g._el is null;
  end if;
  update "app"."Person.notes" t set
      _key = case when s._ks > t._ks then s._key else t._key end, _ks = greatest(t._ks, s._ks),
      value = case when s._vs > t._vs then s.value else t.value end, _vs = greatest(t._vs, s._vs), _rx = realm$x
    from pg_temp."Person.notes$in" s join unnest(realm$owners) w(owner) on w.owner = s.owner
    where s._n between $1 and $2 and s._op = 'u' and t.owner = s.owner and t._el = s._el;
  insert into pg_temp."$out" (class, key, reason, property)
    select distinct 'Person', s.owner::text, 'denied', 'notes'
      from pg_temp."Person.notes$in" s join unnest(realm$owners) w(owner) on w.owner = s.owner
        join "app"."Person.notes" t on t.owner = s.owner and t._el = s._el
      where s._n between $1 and $2 and s._op = 'u' and t._rx <> realm$x;
end$realm$;

revoke execute on function "app"."Person.notes$bury"(bigint[], bigint[], bigint[]) from public;

grant execute on function "app"."Person.notes$bury"(bigint[], bigint[], bigint[]) to realm_user;

create or replace trigger realm_cut before insert or update on "app"."Person.notes" for each row when (least(new._ks, new._vs) < 0 or greatest(new._ks, new._vs) > realm.now_hlc() + (60000::bigint << 16)) execute function "app"."Person.notes$cut"();

create or replace trigger realm_insert before insert on "app"."Person.notes" for each row when (coalesce(current_setting('realm.push', true), '') <> 'on' or new._rx is distinct from pg_current_xact_id()) execute function "app"."Person.notes$stamp"();

create or replace trigger realm_update before update on "app"."Person.notes" for each row when (coalesce(current_setting('realm.push', true), '') <> 'on' or new._rx is distinct from pg_current_xact_id()) execute function "app"."Person.notes$stamp"();

create or replace trigger realm_gone after delete on "app"."Person.notes" for each row execute function "app"."Person.notes$gone"();

create or replace trigger realm_left after update on "app"."Person.notes" for each row when (old.owner is distinct from new.owner or old._el is distinct from new._el) execute function "app"."Person.notes$gone"();

create or replace trigger realm_truncate before truncate on "app"."Person.notes" for each statement execute function realm.refuse_truncate();

update realm.server set routines_version = 4,
  routines = 'b9c2a0eea977fc5c ' || realm.installed_routines();
