// What lists have besides sets and maps: elements have numbers, which are never used again, and keys, which order them. The
// position and the value of an element are registers of their own; its removal beats both.
extension ServerSchema {
  /// The numbers of the elements that SQL programs append. Elements of clients have the client's number in the upper bits, which
  /// is not 0.
  func elementNumbers(_ collection: SyncCollection, in item: SyncClass) -> String {
    "create sequence \(elementSequence(names(of: collection, in: item))) maxvalue 1099511627775"
  }

  private func elementSequence(_ names: ServerNames) -> String {
    SQLText.identifier(schema) + "." + SQLText.identifier(names.name + "$el")
  }

  /// The key of an element that an SQL program appends, behind the last one: the first component of a key is (n, client, k),
  /// each a number of 1 to 9 bytes whose bytes are ordered as the numbers are; the next key has a greater n.
  var keyAfter: String {
    function(
      "realm.key_after(last bytea)", returns: "bytea", language: "plpgsql", volatility: "immutable",
      body: """

        declare
          first int;
          size int := 0;
          n numeric := 0;
          digits bytea := '';
        begin
          if last is null or length(last) = 0 then return '\\x808080'; end if;
          first := get_byte(last, 0);
          if first < 80 then return '\\x808080'; end if;
          if first <= 175 then
            n := first - 128;
          else
            size := first - 175;
            -- Not a key that a client has made: what begins with it is greater.
            if size > 8 or length(last) <= size then return last || '\\x808080'::bytea; end if;
            for place in 1..size loop n := n * 256 + get_byte(last, place); end loop;
            n := n + 48;
          end if;
          n := n + 64;
          if n <= 47 then return set_byte('\\x00'::bytea, 0, (n + 128)::int) || '\\x8080'::bytea; end if;
          n := n - 48;
          while n > 0 or length(digits) = 0 loop
            digits := set_byte('\\x00'::bytea, 0, mod(n, 256)::int) || digits;
            n := div(n, 256);
          end loop;
          if length(digits) > 8 then return last || '\\x808080'::bytea; end if;
          return set_byte('\\x00'::bytea, 0, 175 + length(digits)) || digits || '\\x8080'::bytea;
        end
        """)
  }

  /// An insertion by an SQL program appends.
  func listStamp(_ names: ServerNames) -> String {
    """
    if tg_op = 'INSERT' or new.owner is distinct from old.owner then
        new._el := nextval(\(SQLText.literal(elementSequence(names))));
        if tg_op = 'INSERT' then
          new._key := realm.key_after((select e._key from \(names.table) e where e.owner = new.owner order by e._key desc limit 1));
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
    """
  }

  /// Merges insertions, writes of the position or the value, and removals, which have their stamp in `_ks`.
  func listMerge(_ collection: SyncCollection, _ item: SyncClass) -> String {
    let names = names(of: collection, in: item)
    return function(
      "\(names.merge)(bigint, bigint)", returns: "void", language: "plpgsql",
      body: """

        declare
          realm$x xid8 := pg_current_xact_id();
          realm$seen pg_snapshot := pg_current_snapshot();
          realm$limit bigint := \(Self.latestStamp);
          realm$owners \(item.key.type.name)[];
        begin
          update \(names.input) s set _ks = case when s._ks > realm$limit then realm$limit else s._ks end,
              _vs = case when s._vs > realm$limit then realm$limit else s._vs end
            where \(inputRange) and (s._ks > realm$limit or s._vs > realm$limit);
        \(lockOwners(item, names))
        \(listOutcome(item, names))
        \(listRemovals(item, names))
        \(listWrites(item, names))
        end
        """)
  }

  private func listOutcome(_ item: SyncClass, _ names: ServerNames) -> String {
    let key = SQLText.identifier(item.key.name)
    return """
        insert into \(ServerNames.outcome) (class, key, reason, property)
          \(ownersAndDead(item, names))
          select distinct \(SQLText.literal(item.name)), \(ownerText(item)),
              \(ownerReason(item)), \(property(names))
            from \(names.input) s left join \(self.names(of: item).table) p on p.\(key) = s.owner
              left join writable on writable.owner = s.owner left join dead on dead._key = s.owner
              left join \(names.table) t on t.owner = s.owner and t._el = s._el
              left join \(names.departures) g on g.owner = s.owner and g._el = s._el
            where \(inputRange) and (writable.owner is null
              or s._op = 'i' and (dead._died >= s._ks or g._el is not null)
              or s._op = 'u' and t._el is null
              or s._op <> 'd' and (s._ks < t._ks or s._vs < t._vs
                or s._ks = t._ks and s._key <> t._key or s._vs = t._vs and s.value is distinct from t.value));
      """
  }

  /// A removal beats every other write of the element.
  private func listRemovals(_ item: SyncClass, _ names: ServerNames) -> String {
    """
      delete from \(names.table) t using \(names.input) s, unnest(realm$owners) w(owner)
        where \(inputRange) and s._op = 'd' and w.owner = s.owner and t.owner = s.owner and t._el = s._el;
      insert into \(ServerNames.outcome) (class, key, reason, property)
        select distinct \(SQLText.literal(item.name)), \(ownerText(item)), 'denied', \(property(names))
          from \(names.input) s join unnest(realm$owners) w(owner) on w.owner = s.owner
            join \(names.table) t on t.owner = s.owner and t._el = s._el
          where \(inputRange) and s._op = 'd';
      perform \(names.bury)(array_agg(s.owner), array_agg(s._el), array_agg(s._ks))
        from \(names.input) s join unnest(realm$owners) w(owner) on w.owner = s.owner
        where \(inputRange) and s._op = 'd' having count(*) > 0;
    """
  }

  /// An insertion that comes after the deletion of its owner is not taken, whatever was done to the element's value later: an object
  /// that was created again with the key is another one.
  private func listWrites(_ item: SyncClass, _ names: ServerNames) -> String {
    let dropped = droppedElements(
      item, names, of: "", at: "s._ks", identity: "_el", removal: "g._el is null"
    ) { "\($0).owner = s.owner and \($0)._el = s._el" }
    return """
        \(ownersAndDead(item, names))
        insert into \(names.table) as t (owner, _el, _key, value, _ks, _vs, _rx)
          select s.owner, s._el, s._key, s.value, s._ks, s._vs, realm$x
            from \(names.input) s join writable on writable.owner = s.owner left join dead on dead._key = s.owner
              left join \(names.departures) g on g.owner = s.owner and g._el = s._el
            where \(inputRange) and s._op = 'i' and (dead._died is null or dead._died < s._ks) and g._el is null
            order by s.owner, s._el
          on conflict (owner, _el) do update set
            _key = case when excluded._ks > t._ks then excluded._key else t._key end, _ks = greatest(t._ks, excluded._ks),
            value = case when excluded._vs > t._vs then excluded.value else t.value end, _vs = greatest(t._vs, excluded._vs),
            _rx = realm$x;
      \(dropped)
        update \(names.table) t set
            _key = case when s._ks > t._ks then s._key else t._key end, _ks = greatest(t._ks, s._ks),
            value = case when s._vs > t._vs then s.value else t.value end, _vs = greatest(t._vs, s._vs), _rx = realm$x
          from \(names.input) s join unnest(realm$owners) w(owner) on w.owner = s.owner
          where \(inputRange) and s._op = 'u' and t.owner = s.owner and t._el = s._el;
        insert into \(ServerNames.outcome) (class, key, reason, property)
          select distinct \(SQLText.literal(item.name)), \(ownerText(item)), 'denied', \(property(names))
            from \(names.input) s join unnest(realm$owners) w(owner) on w.owner = s.owner
              join \(names.table) t on t.owner = s.owner and t._el = s._el
            where \(inputRange) and s._op = 'u' and t._rx <> realm$x;
      """
  }
}
