// The functions and triggers of a database that an earlier version of this library prepared, and how they are brought to the
// present version.
extension ServerSchema {
  /// The version of the functions and triggers. It is raised with each change of them, so that an older program does not replace
  /// newer ones; a test fails until it is.
  package static let routinesVersion = 4
  /// The earliest version of the functions with which clients of this version can synchronise.
  static let leastRoutinesVersion = 1
  /// The earliest version of the database that knows copies of files by what they share.
  static let copiesRoutinesVersion = 3

  /// Functions with arguments that the present ones do not have. PostgreSQL would call them in place of the present ones.
  private static let formerFunctions = ["realm.try(text, bigint, bigint)"]

  /// Columns that the tables of an earlier version lack.
  static let laterColumns = [
    (table: "client", name: "lag", type: "int"), (table: "client", name: "lag_max", type: "int"),
    (table: "client", name: "nonce", type: "uuid unique"), (table: "client", name: "shift", type: "bigint"),
    (table: "client", name: "mark", type: "text"),
    (table: "server", name: "routines_version", type: "int"),
    (table: "server", name: "routines", type: "text"),
  ]

  /// Returns the statements that make or replace the functions and triggers of a class.
  func routines(of item: SyncClass) -> [String] {
    tombstones(of: item) + functions(of: item) + triggers(of: item)
  }

  /// The statements that replace the functions and triggers of all classes and collections.
  var classRoutines: [String] {
    model.classes.flatMap { item in
      routines(of: item) + item.collections.flatMap { routines(of: $0, in: item) }
    }
  }

  /// The statements that come before the present functions are made.
  static let formerRoutines = formerFunctions.map { "drop function if exists \($0)" }

  /// A hash of the statements of the functions and triggers.
  package var routinesHash: String {
    let text = (sharedRoutines + classRoutines).joined(separator: "\n")
    let hash = Array(text.utf8).withUnsafeBytes { RowHash.hash($0, seed: 0) }
    return String(hash, radix: 16)
  }

  /// Takes note that the database has the functions and triggers of this version.
  var routinesNote: String {
    """
    update realm.server set routines_version = \(Self.routinesVersion),
      routines = '\(routinesHash) ' || realm.installed_routines()
    """
  }

  /// A hash of the functions and triggers that the database has: it changes when one is dropped or replaced.
  var installedRoutines: String {
    let suffixes = ServerNames.suffixes.map { SQLText.literal($0) }.joined(separator: ", ")
    let schema = SQLText.literal(self.schema)
    return function(
      "realm.installed_routines()", returns: "text", language: "sql", volatility: "stable", asOwner: true,
      body: """

        with owner(name) as (
            select c.name from realm.class c
              union all select p.class || '.' || p.name from realm.property p where p.collection <> 'none'),
        routine(text) as (
          select concat_ws(' ', n.nspname, f.proname, pg_get_function_identity_arguments(f.oid), pg_get_function_result(f.oid),
              f.prosecdef, f.provolatile, f.proconfig, f.prosrc)
            from pg_proc f join pg_namespace n on n.oid = f.pronamespace
            where n.nspname = 'realm' or n.nspname = \(schema)
              and f.proname in (select o.name || s from owner o, unnest(array[\(suffixes)]) s)
          union all
          select concat_ws(' ', t.tgenabled, pg_get_triggerdef(t.oid))
            from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
            where n.nspname = \(schema) and t.tgname = any ('{\(Self.triggerNames)}'))
        select encode(sha256(convert_to(coalesce(string_agg(text, ';' order by text collate "C"), ''), 'UTF8')), 'hex')
          from routine
        """)
  }
}
