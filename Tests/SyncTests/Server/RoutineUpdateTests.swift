import Sync
import TestSupport
import Testing

/// Databases whose functions and triggers are not those of this version.
@Suite struct RoutineUpdateTests {
  private static let classes = [Kennel.dog, Kennel.person]

  private static func addition(_ kennel: Kennel) throws -> SchemaAddition {
    try SchemaAddition(
      SyncModel(classes: classes), to: #require(try InstalledSchema.read(kennel.connection)))
  }

  @Test func nothingIsReplacedInADatabaseOfThisVersion() throws {
    let addition = try Self.addition(Kennel(Self.classes))
    #expect(addition.isEmpty && !addition.replacesRoutines)
  }

  @Test(arguments: [
    "create or replace function realm.now_hlc() returns bigint language sql as 'select 1::bigint'",
    "create or replace function app.\"Dog$merge\"(bigint, bigint) returns void language sql as ''",
    "create or replace function app.\"Person.tags$bury\"(bigint[], text[], bigint[]) returns void language sql as ''",
    "drop function app.\"Dog$gone\" cascade", "drop function realm.try",
    "drop function realm.installed_routines",
    "drop trigger realm_cut on app.\"Person.notes\"", "alter table app.\"Dog\" disable trigger realm_update",
    // A database of an earlier version.
    """
    alter table realm.server drop column routines, drop column routines_version;
    alter table realm.client drop column lag, drop column lag_max, drop column nonce, drop column shift, drop column mark;
    drop function realm.try, realm.cut_stamps, realm.installed_routines cascade;
    create function realm.try(what text, lo bigint, hi bigint) returns void language sql as ''
    """,
  ])
  func whatIsOlderOrMissingIsReplaced(change: String) throws {
    let kennel = try Kennel(Self.classes)
    let installed = try kennel.rows("select realm.installed_routines()")
    let functions =
      "select oid::regprocedure::text from pg_proc where pronamespace = 'realm'::regnamespace order by 1"
    let signatures = try kennel.rows(functions)
    try kennel.connection.runScript(change)
    let addition = try Self.addition(kennel)
    #expect(addition.replacesRoutines)
    for statement in addition.statements { try kennel.connection.run(statement) }
    #expect(try kennel.rows("select realm.installed_routines()") == installed)
    #expect(try kennel.rows(functions) == signatures)
    #expect(try Self.addition(kennel).isEmpty)
    kennel.forgetInputs()
    #expect(try kennel.push(.created(1, at: 10, name: "a")) == [])
    try kennel.connection.runScript(
      "insert into realm.client (lag, lag_max, nonce, mark) values (1, 2, gen_random_uuid(), '')")
  }

  /// Functions of other programs in the same schema are none of ours.
  @Test func functionsOfOtherProgramsAreLeftAlone() throws {
    let kennel = try Kennel(Self.classes)
    try kennel.connection.runScript("create function app.other() returns int language sql as 'select 1'")
    #expect(try Self.addition(kennel).isEmpty)
  }

  /// An addition alone takes no lock on the tables of other classes.
  @Test func anAdditionToPresentFunctionsReplacesNoOthers() throws {
    let kennel = try Kennel()
    let addition = try Self.addition(kennel)
    #expect(addition.classes.map(\.name) == ["Person"] && !addition.replacesRoutines)
    #expect(!addition.statements.contains { $0.contains("on \"app\".\"Dog\"") })
    for statement in addition.statements { try kennel.connection.run(statement) }
    #expect(try Self.addition(kennel).isEmpty)
  }

  @Test func functionsOfANewerVersionAreNotReplaced() throws {
    let kennel = try Kennel(Self.classes)
    try kennel.connection.runScript("update realm.server set routines_version = 1000, routines = 'other'")
    let refusal = #expect(throws: SyncRefusal.self) { try Self.addition(kennel) }
    #expect(refusal?.reasons.map(\.kind) == [.newerServer])
    #expect(
      refusal?.description
        == "The server has functions of version 1000, and this program has version 4: update the program.")
  }

  /// Of two programs with the same version and other functions, each would replace those of the other.
  @Test func changedRoutinesHaveAnotherVersion() {
    let known = (version: 4, hash: "de2e588c7e2dd56d")
    let hash = ServerSchema(SyncModel(classes: Self.classes)).routinesHash
    #expect(
      known == (ServerSchema.routinesVersion, hash),
      """
      The generated functions or triggers have changed: raise ServerSchema.routinesVersion by 1, and write the version and the hash \
      "\(hash)" into this test.
      """)
  }
}
