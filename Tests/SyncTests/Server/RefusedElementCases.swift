import Sync

/// Elements that constraints, triggers and types of the database refuse.
extension MergeCase {
  /// Lets triggers drop elements with the value `ghost` or 666, and entries with the key `ghost`.
  private static func dropGhosts(_ kennel: Kennel) throws {
    for (table, condition) in [
      ("tags", "new.value = 'ghost'"), ("scores", "new.key = 'ghost' or new.value = 666"),
      ("notes", "new.value = 'ghost'"),
    ] {
      try kennel.connection.runScript(
        """
        create or replace function app.drop_\(table)() returns trigger language plpgsql as
          $$ begin if \(condition) then return null; end if; return new; end $$;
        create or replace trigger drop_\(table) before insert or update on app."Person.\(table)" for each row
          execute function app.drop_\(table)()
        """)
    }
  }

  static let refusedElements = [
    MergeCase("elementsOfOneOwnerAreRejectedTogether", ["0 rejected 23514", "2 rejected 23514", "x 10"]) {
      kennel, key in
      try kennel.connection.runScript(
        """
        alter table app."Person.tags" drop constraint if exists good, add constraint good check (value <> 'bad')
        """)
      let outcome = try kennel.push(
        people: (0..<4).map { .person(key + $0, at: 1) },
        [
          .tag("i", key, "a", at: 10), .tag("i", key + 1, "x", at: 10), .tag("i", key, "bad", at: 10),
          .tag("i", key, "c", at: 10), .tag("i", key + 2, "bad", at: 10),
        ])
      return try outcome.map {
        let words = $0.split(separator: " ")
        return "\(Int(words[0])! - key) \(words[1]) \(words[2])"
      } + (0..<4).flatMap { try kennel.elements("tags", key + $0) }
    },
    MergeCase(
      "elementsThatATriggerDropsAreDenied",
      [
        "0 denied", "0 denied", "0 denied", "1 denied", "1 denied", "2 lost", "2 lost", "2 lost", "a", "1",
        "n",
      ]
    ) { kennel, key in
      try dropGhosts(kennel)
      try kennel.push(
        people: (0..<4).map { .person(key + $0, at: 1) },
        [
          .tag("d", key + 2, "ghost", at: 20), .score("d", key + 2, "ghost", at: 20),
          .note("d", key + 2, 1, position: 20),
          .score("i", key + 1, "k", 1, at: 5),
          .note("i", key + 1, 1, key: 0x80, "n", position: 10, content: 10),
        ])
      let outcome = try kennel.push(
        [
          .tag("i", key, "ghost", at: 10), .score("i", key, "ghost", 1, at: 10),
          .note("i", key, 1, key: 0x80, "ghost", position: 10, content: 10),
          .score("i", key + 1, "k", 666, at: 10),
          .note("i", key + 1, 1, key: 0x80, "ghost", position: 20, content: 20),
          .tag("i", key + 2, "ghost", at: 10), .score("i", key + 2, "ghost", 1, at: 10),
          .note("i", key + 2, 1, key: 0x80, "ghost", position: 30, content: 30),
          .tag("i", key + 3, "a", at: 10), .tag("i", key + 3, "a", at: 11),
        ])
      let range = "owner between \(key) and \(key + 3)"
      return try outcome.map { "\(Int($0.split(separator: " ")[0])! - key) \($0.split(separator: " ")[1])" }
        + ["tags", "scores", "notes"].flatMap {
          try kennel.rows("select value from app.\"Person.\($0)\" where \(range)")
        }
    },
    MergeCase("nullThatATriggerDropsIsDenied", ["0 denied", "1 lost", "-"]) { kennel, key in
      try kennel.connection.runScript(
        """
        create or replace function app.drop_null() returns trigger language plpgsql as
          $$ begin if new.value is null and new._at = 666 then return null; end if; return new; end $$;
        create or replace trigger drop_null before insert on app."Person.moods" for each row execute function app.drop_null()
        """)
      try kennel.push(people: (0..<3).map { .person(key + $0, at: 1) }, [.mood("d", key + 1, nil, at: 700)])
      let outcome = try kennel.push([
        .mood("i", key, nil, at: 666), .mood("i", key + 1, nil, at: 666), .mood("i", key + 2, nil, at: 10),
      ])
      return try outcome.map { "\(Int($0.split(separator: " ")[0])! - key) \($0.split(separator: " ")[1])" }
        + kennel.rows("select value from app.\"Person.moods\" where owner between \(key) and \(key + 2)")
    },
    MergeCase("anElementThatIsTooLongForTheIndexIsRejected", ["rejected 54000", "k 1 10"]) { kennel, key in
      let noise = "(select string_agg(md5(g::text), '') from generate_series(1, 300) g)"
      var long = ElementRow.tag("i", key, "x", at: 10)
      long.values = "'i', \(key), \(noise), 10"
      let outcome = try kennel.push(
        people: [.person(key, at: 1)], [long, .score("i", key, "k", 1, at: 10)])
      return try outcome.map { $0.split(separator: " ")[1...2].joined(separator: " ") }
        + kennel.elements("tags", key) + kennel.elements("scores", key)
    },
  ]
}
