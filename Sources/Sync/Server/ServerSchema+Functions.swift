// The functions of a class that depend on its properties. They are replaced when a property is added.
extension ServerSchema {
  /// Returns the statements that make the functions of a class for its present properties.
  package func functions(of item: SyncClass) -> [String] {
    [stamp(item), stage(item), fail(item), merge(item)]
  }

  /// Stamps what SQL programs write. The program has seen the former value, so its own one is later; than a stamp of the far
  /// future it is not.
  private func stamp(_ item: SyncClass) -> String {
    let names = names(of: item)
    let key = SQLText.identifier(item.key.name)
    let changes = item.properties.filter { !$0.isCounter }.map { property in
      let name = SQLText.identifier(property.name)
      let moves = property.isRouting ? "\n    new._rin := new._rx;" : ""
      return """
          if new.\(name) is distinct from old.\(name) then
            realm$st[\(property.number)] := greatest(realm$now, least(coalesce(realm$st[\(property.number)], old._at), realm$limit) + 1);\(moves)
          end if;

        """
    }.joined()
    return function(
      "\(names.stamp)()", returns: "trigger", language: "plpgsql", asOwner: true,
      body: """

        declare
          realm$now bigint := realm.now_hlc();
          realm$limit bigint := realm$now + (\(Self.clockTolerance)::bigint << 16);
          realm$st bigint[];
        begin
          new._rx := pg_current_xact_id();
          if tg_op = 'INSERT' or new.\(key) is distinct from old.\(key) then
            new._rin := new._rx;
            new._at := greatest(realm$now, 1 + least(realm$limit, \(names.died)(new.\(key))));
            new._st := null;
            return new;
          end if;
          new._at := old._at;
          new._rin := old._rin;
          realm$st := coalesce(old._st, array_fill(null::bigint, array[\(item.lastNumber)]));
        \(changes)  new._st := realm$st;
          return new;
        end
        """)
  }

  /// The temporary input of a push. A column that the client does not know has the default, to which the client gives
  /// the stamp 0, which never wins.
  private func stage(_ item: SyncClass) -> String {
    let properties = item.properties.map { property in
      "\(SQLText.identifier(property.name)) \(property.type.declaration)"
        + (property.isOptional ? "" : " default \(property.type.zero)")
    }
    return function(
      "\(names(of: item).stage)()", returns: "int", language: "plpgsql",
      body: """

        begin
        \(makeInput(
          SQLText.identifier(item.name + "$in"),
          ["_n bigint generated always as identity", "_op \"char\" not null check (_op in ('i', 'u', 'd'))",
            "\(SQLText.identifier(item.key.name)) \(item.key.type.declaration) not null"] + properties
            + ["_at bigint check (_at is not null or _op = 'u')", "_st bigint[]"]))
          return \(item.lastNumber);
        end
        """)
  }

  /// Makes a temporary input, unless the connection has it from an earlier push: to make it again for each push would take longer
  /// than to merge a small one, and would bloat the system catalogues. One that was made before the class got a property has
  /// fewer columns.
  func makeInput(_ name: String, _ columns: [String]) -> String {
    let table = SQLText.literal("pg_temp." + name)
    return """
        if to_regclass(\(table)) is not null and \(columns.count) <> (select count(*) from pg_catalog.pg_attribute a
            where a.attrelid = to_regclass(\(table)) and a.attnum > 0 and not a.attisdropped) then
          drop table pg_temp.\(name);
        end if;
        if to_regclass(\(table)) is null then
          create temp table \(name) (
            \(columns.joined(separator: ",\n      "))) on commit delete rows;
        end if;
      """
  }

  /// Notes why a row of the input was rejected.
  private func fail(_ item: SyncClass) -> String {
    let names = names(of: item)
    return function(
      "\(names.fail)(bigint, text)", returns: "void", language: "plpgsql",
      body: """

        begin
          insert into \(ServerNames.outcome) (class, key, reason)
            select \(SQLText.literal(item.name)), \(keyText(item, of: "s")), $2 from \(names.input) s where s._n = $1;
        end
        """)
  }

  /// The key as the outcome has it: an ObjectId as 24 hexadecimal digits, others as the server writes them.
  func keyText(_ item: SyncClass, of alias: String) -> String {
    let key = "\(alias).\(SQLText.identifier(item.key.name))"
    return item.key.type == .objectId ? "encode(\(key), 'hex')" : "\(key)::text"
  }
}
