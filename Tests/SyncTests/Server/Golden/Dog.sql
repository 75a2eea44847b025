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

create table "app"."Dog" (
  "id" bigint primary key,
  "name" text collate "C" not null default '',
  "age" bigint not null default 0,
  "likes" bigint not null default 0,
  "owner" text collate "C",
  _rx xid8 not null default pg_current_xact_id(),
  _rin xid8 not null default pg_current_xact_id(),
  _at bigint not null default realm.now_hlc(),
  _st bigint[]);

create index on "app"."Dog" (_rx);

create table "app"."Dog$gone" (
  "id" bigint not null,
  "owner" text collate "C",
  _died bigint,
  _rx xid8 not null default pg_current_xact_id(),
  unique nulls not distinct ("id", "owner"));

create index on "app"."Dog$gone" (_rx);

grant select, insert, update, delete on "app"."Dog" to realm_user;

grant select on "app"."Dog$gone" to realm_user;

insert into realm.class (name, number, embedded) values ('Dog', 1, false);

insert into realm.property (class, name, number, type, nullable, counter, routing, target)
  values ('Dog', 'id', 0, 'bigint', false, false, false, null);

insert into realm.property (class, name, number, type, nullable, counter, routing, target)
  values ('Dog', 'name', 1, 'text', false, false, false, null);

insert into realm.property (class, name, number, type, nullable, counter, routing, target)
  values ('Dog', 'age', 2, 'bigint', false, false, false, null);

insert into realm.property (class, name, number, type, nullable, counter, routing, target)
  values ('Dog', 'likes', 3, 'bigint', false, true, false, null);

insert into realm.property (class, name, number, type, nullable, counter, routing, target)
  values ('Dog', 'owner', 4, 'text', true, false, true, null);

create or replace function "app"."Dog$died"(bigint) returns bigint language sql stable security definer set search_path = pg_catalog, pg_temp as $realm$ select coalesce(max(g._died), 0) from "app"."Dog$gone" g where g."id" = $1 $realm$;

create or replace function "app"."Dog$dead"(bigint[]) returns table (_key bigint, _died bigint) language sql stable security definer set search_path = pg_catalog, pg_temp as $realm$
select g."id", max(g._died) from "app"."Dog$gone" g
  where exists (select from "app"."Dog$gone") and g."id" = any ($1) and g._died is not null
  group by g."id"$realm$;

create or replace function "app"."Dog$bury"(bigint[], bigint[]) returns void language sql volatile security definer set search_path = pg_catalog, pg_temp as $realm$
with deletion as materialized (
  select u.key, max(least(greatest(u.at, 0), realm.now_hlc() + (60000::bigint << 16))) as at
    from unnest($1, $2) u(key, at)
    where not exists (select from "app"."Dog" t where t."id" = u.key) group by u.key),
known as (
  update "app"."Dog$gone" g set _died = greatest(g._died, d.at), _rx = pg_current_xact_id()
    from deletion d where g."id" = d.key)
insert into "app"."Dog$gone" as g ("id", _died)
  select d.key, d.at from deletion d
    where not exists (select from "app"."Dog$gone" o where o."id" = d.key)
  on conflict ("id", "owner") do update
    set _died = greatest(g._died, excluded._died), _rx = excluded._rx$realm$;

create or replace function "app"."Dog$gone"() returns trigger language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $realm$
declare
  realm$died bigint;
  realm$seen bigint := least(old._at, realm.now_hlc() + (60000::bigint << 16));
begin
  if tg_op = 'DELETE' or new."id" is distinct from old."id" then
    realm$died := case when coalesce(current_setting('realm.push', true), '') = 'on' then realm$seen
      else greatest(realm.now_hlc(), realm$seen + 1) end;
  end if;
  insert into "app"."Dog$gone" as g ("id", "owner", _died) values (old."id", old."owner", realm$died)
    on conflict ("id", "owner") do update
      set _died = greatest(g._died, excluded._died), _rx = excluded._rx;
  return null;
end$realm$;

revoke execute on function "app"."Dog$died"(bigint), "app"."Dog$dead"(bigint[]), "app"."Dog$bury"(bigint[], bigint[]) from public;

grant execute on function "app"."Dog$dead"(bigint[]), "app"."Dog$bury"(bigint[], bigint[]) to realm_user;

create or replace function "app"."Dog$stamp"() returns trigger language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $realm$
declare
  realm$now bigint := realm.now_hlc();
  realm$limit bigint := realm$now + (60000::bigint << 16);
  realm$st bigint[];
begin
  new._rx := pg_current_xact_id();
  if tg_op = 'INSERT' or new."id" is distinct from old."id" then
    new._rin := new._rx;
    new._at := greatest(realm$now, 1 + least(realm$limit, "app"."Dog$died"(new."id")));
    new._st := null;
    return new;
  end if;
  new._at := old._at;
  new._rin := old._rin;
  realm$st := coalesce(old._st, array_fill(null::bigint, array[4]));
  if new."name" is distinct from old."name" then
    realm$st[1] := greatest(realm$now, least(coalesce(realm$st[1], old._at), realm$limit) + 1);
  end if;
  if new."age" is distinct from old."age" then
    realm$st[2] := greatest(realm$now, least(coalesce(realm$st[2], old._at), realm$limit) + 1);
  end if;
  if new."owner" is distinct from old."owner" then
    realm$st[4] := greatest(realm$now, least(coalesce(realm$st[4], old._at), realm$limit) + 1);
    new._rin := new._rx;
  end if;
  new._st := realm$st;
  return new;
end$realm$;

create or replace function "app"."Dog$stage"() returns int language plpgsql volatile as $realm$
begin
  if to_regclass('pg_temp."Dog$in"') is not null and 9 <> (select count(*) from pg_catalog.pg_attribute a
      where a.attrelid = to_regclass('pg_temp."Dog$in"') and a.attnum > 0 and not a.attisdropped) then
    drop table pg_temp."Dog$in";
  end if;
  if to_regclass('pg_temp."Dog$in"') is null then
    create temp table "Dog$in" (
      _n bigint generated always as identity,
      _op "char" not null check (_op in ('i', 'u', 'd')),
      "id" bigint not null,
      "name" text collate "C" default '',
      "age" bigint default 0,
      "likes" bigint default 0,
      "owner" text collate "C",
      _at bigint check (_at is not null or _op = 'u'),
      _st bigint[]) on commit delete rows;
  end if;
  return 4;
end$realm$;

create or replace function "app"."Dog$fail"(bigint, text) returns void language plpgsql volatile as $realm$
begin
  insert into pg_temp."$out" (class, key, reason)
    select 'Dog', s."id"::text, $2 from pg_temp."Dog$in" s where s._n = $1;
end$realm$;

create or replace function "app"."Dog$merge"(bigint, bigint) returns void language plpgsql volatile as $realm$
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
    into realm$creates, realm$updates, realm$deletes, realm$ahead from pg_temp."Dog$in" s where s._n between $1 and $2;
  if realm$ahead then
  update pg_temp."Dog$in" s set _at = least(s._at, realm$limit),
      _st = (select array_agg(case when u.v > realm$limit then realm$limit else u.v end order by u.o)
        from unnest(s._st) with ordinality u(v, o))
    where s._n between $1 and $2 and (s._at > realm$limit or realm$limit < any (s._st));
  end if;
  if realm$creates > 0 then
  select array_agg(d._key), array_agg(d._died) into realm$dead, realm$died from "app"."Dog$dead"((
    select array_agg(s."id") from pg_temp."Dog$in" s where s._n between $1 and $2 and s._op = 'i')) d;
  end if;
  insert into pg_temp."$out" (class, key, reason)
    select 'Dog', s."id"::text,
        case when s._op = 'u' and t."id" is null then 'gone' else 'lost' end
      from pg_temp."Dog$in" s left join "app"."Dog" t on t."id" = s."id"
        left join unnest(realm$dead, realm$died) dead(_key, _died) on dead._key = s."id"
      where s._n between $1 and $2 and (
        s._op = 'i' and (t."id" is not null or dead._died >= s._at)
        or s._op = 'u' and (t."id" is null or s._st[1] <= coalesce(t._st[1], t._at) or s._st[2] <= coalesce(t._st[2], t._at) or s._st[4] <= coalesce(t._st[4], t._at))
        or s._op = 'd' and t._at > s._at);
  if realm$deletes > 0 then
  delete from "app"."Dog" t using pg_temp."Dog$in" s
    where s._n between $1 and $2 and s._op = 'd' and t."id" = s."id" and t._at <= s._at;
  get diagnostics realm$written = row_count;
  if realm$written < realm$deletes then
  insert into pg_temp."$out" (class, key, reason)
    select 'Dog', s."id"::text, case when (t._rin = realm$x or pg_visible_in_snapshot(t._rin, realm$seen)) then 'denied' else 'lost' end
      from pg_temp."Dog$in" s join "app"."Dog" t on t."id" = s."id"
      where s._n between $1 and $2 and s._op = 'd' and t._at <= s._at;
  end if;
  perform "app"."Dog$bury"(array_agg(s."id"), array_agg(s._at)) from pg_temp."Dog$in" s
    where s._n between $1 and $2 and s._op = 'd' having count(*) > 0;
  select array_agg(d._key), array_agg(d._died) into realm$dead, realm$died from "app"."Dog$dead"((
    select array_agg(s."id") from pg_temp."Dog$in" s where s._n between $1 and $2 and s._op = 'i')) d;
  end if;
  if realm$creates > 0 then
  insert into "app"."Dog" as t ("id", "name", "age", "likes", "owner", _rx, _rin, _at, _st)
    select s."id", s."name", s."age", s."likes", s."owner", realm$x, realm$x, s._at, s._st
      from pg_temp."Dog$in" s left join unnest(realm$dead, realm$died) dead(_key, _died) on dead._key = s."id"
      where s._n between $1 and $2 and s._op = 'i' and (dead._died is null or dead._died < s._at)
      order by s."id"
    on conflict ("id") do update set
      "name" = case when coalesce(excluded._st[1], excluded._at) > coalesce(t._st[1], t._at)
        then excluded."name" else t."name" end,
      "age" = case when coalesce(excluded._st[2], excluded._at) > coalesce(t._st[2], t._at)
        then excluded."age" else t."age" end,
      "likes" = t."likes" + excluded."likes",
      "owner" = case when coalesce(excluded._st[4], excluded._at) > coalesce(t._st[4], t._at)
        then excluded."owner" else t."owner" end,
      _rx = realm$x, _rin = realm$x, _at = greatest(t._at, excluded._at),
      _st = array[
        greatest(coalesce(t._st[1], t._at), coalesce(excluded._st[1], excluded._at)),
        greatest(coalesce(t._st[2], t._at), coalesce(excluded._st[2], excluded._at)),
        null,
        greatest(coalesce(t._st[4], t._at), coalesce(excluded._st[4], excluded._at))]::bigint[];
  if exists (select from pg_catalog.pg_trigger g where g.tgrelid = '"app"."Dog"'::regclass
      and not g.tgisinternal and g.tgname <> all ('{realm_cut,realm_insert,realm_update,realm_gone,realm_left,realm_truncate}')) then
  insert into pg_temp."$out" (class, key, reason)
    with missing as materialized (
        select s."id", s._at from pg_temp."Dog$in" s left join "app"."Dog" t on t."id" = s."id"
          where s._n between $1 and $2 and s._op = 'i' and t._rx is distinct from realm$x),
      dead as materialized (select d._key, d._died from "app"."Dog$dead"((
        select array_agg(s."id") from missing s)) d)
    select 'Dog', s."id"::text, 'denied'
      from missing s left join dead on dead._key = s."id"
      where dead._died is null or dead._died < s._at;
  end if;
  end if;
  if realm$updates > 0 then
  update "app"."Dog" t set
      "name" = case when s._st[1] > coalesce(t._st[1], t._at) then s."name" else t."name" end,
      "age" = case when s._st[2] > coalesce(t._st[2], t._at) then s."age" else t."age" end,
      "likes" = t."likes" + coalesce(s."likes", 0),
      "owner" = case when s._st[4] > coalesce(t._st[4], t._at) then s."owner" else t."owner" end,
      _rin = case when s._st[4] > coalesce(t._st[4], t._at) then realm$x else t._rin end,
      _rx = realm$x,
      _st = array[
        case when s._st[1] > coalesce(t._st[1], t._at) then s._st[1] else t._st[1] end,
        case when s._st[2] > coalesce(t._st[2], t._at) then s._st[2] else t._st[2] end,
        null,
        case when s._st[4] > coalesce(t._st[4], t._at) then s._st[4] else t._st[4] end]::bigint[]
    from pg_temp."Dog$in" s where s._n between $1 and $2 and s._op = 'u' and t."id" = s."id";
  get diagnostics realm$written = row_count;
  if realm$written < realm$updates then
  insert into pg_temp."$out" (class, key, reason)
    select 'Dog', s."id"::text, case when (t._rin = realm$x or pg_visible_in_snapshot(t._rin, realm$seen)) then 'denied' else 'gone' end
      from pg_temp."Dog$in" s join "app"."Dog" t on t."id" = s."id"
      where s._n between $1 and $2 and s._op = 'u' and t._rx <> realm$x;
  end if;
  end if;
end$realm$;

create or replace trigger realm_cut before insert or update on "app"."Dog" for each row when (new._at < 0 or 0 > any (new._st) or realm.now_hlc() + (60000::bigint << 16) < any (new._at || new._st)) execute function realm.cut_stamps();

create or replace trigger realm_insert before insert on "app"."Dog" for each row when (coalesce(current_setting('realm.push', true), '') <> 'on' or new._rx is distinct from pg_current_xact_id()) execute function "app"."Dog$stamp"();

create or replace trigger realm_update before update on "app"."Dog" for each row when (coalesce(current_setting('realm.push', true), '') <> 'on' or new._rx is distinct from pg_current_xact_id()) execute function "app"."Dog$stamp"();

create or replace trigger realm_gone after delete on "app"."Dog" for each row execute function "app"."Dog$gone"();

create or replace trigger realm_left after update on "app"."Dog" for each row when (old."id" is distinct from new."id" or old."owner" is distinct from new."owner") execute function "app"."Dog$gone"();

create or replace trigger realm_truncate before truncate on "app"."Dog" for each statement execute function realm.refuse_truncate();

update realm.server set routines_version = 4,
  routines = '78a75dd0c465e496 ' || realm.installed_routines();
