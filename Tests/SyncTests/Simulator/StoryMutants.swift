import Storage
import Sync

/// A client or server without one of the rules of synchronisation, and the story that shows that the rule is needed.
struct StoryMutant: Sendable {
  struct Change: Sendable {
    var text: String
    var replacement: String

    init(_ text: String, _ replacement: String) { (self.text, self.replacement) = (text, replacement) }
  }

  /// The rule that is taken away.
  var rule: String
  var story: Story
  var inStatements: Change?
  /// The only file whose statements are changed; nil for all.
  var file: Int?
  var inSchema: [Change] = []
  var failsOnUnsendable = false
  var waitsForDurability = true
  var beforeStatement: (@Sendable (Stage, SimulatedFile, String) throws -> Void)?

  static let all: [StoryMutant] = [
    StoryMutant(
      rule: "the cursor is a snapshot, not a number", story: .anEarlierTransactionThatEndsLaterArrives,
      inStatements: Change(
        "pg_current_snapshot()::text", "format('%1$s:%1$s:', pg_snapshot_xmax(pg_current_snapshot()))")),
    StoryMutant(
      rule: "a push compares the acknowledged version", story: .aPushWhoseAnswerIsLostCountsOnce,
      inStatements: Change("and applied = $3::bigint", "and $3::bigint is not null")),
    StoryMutant(
      rule: "the outcome of a push is read", story: .whatTheServerRejectsIsReadAgain,
      inStatements: Change("from pg_temp.\"$out\" o)", "from pg_temp.\"$out\" o where false)")),
    StoryMutant(
      rule: "the record of a push that did not commit is removed first",
      story: .aPushThatDidNotCommitLeavesNothingBehind,
      beforeStatement: { stage, file, sql in
        let records = SessionKey.Kind(rawValue: 19)
        if sql == "begin" {
          for entry in try Snapshot(file: file.file).session(of: records) {
            if entry.key.row > file.client.state.acknowledged { stage.memory[entry.key] = entry.bytes }
          }
        } else if sql.contains("realm.begin_push()") {
          try stage.write(stage.memory, to: file)
        }
      }),
    StoryMutant(
      rule: "what is sent is durable", story: .nothingIsSentThatAPowerCutCouldTakeBack,
      waitsForDurability: false),
    StoryMutant(
      rule: "stamps follow the clock of the server", story: .aClockThatIsADayAheadDoesNotWin,
      // As if the file's clock were right.
      inStatements: Change(
        "realm.now_hlc()::text, (pg_snapshot",
        "(realm.now_hlc() + (86400000::bigint << 16))::text, (pg_snapshot"),
      file: 0),
    StoryMutant(
      rule: "a registration that another file has taken over is not used",
      story: .aFileWhoseRegistrationWasTakenOverSendsNothingUnderIt,
      inStatements: Change("and token = $2::uuid and applied", "and $2::uuid is not null and applied")),
    StoryMutant(
      rule: "copies of a file that was never registered are recognised",
      story: .copiesOfAnUnknownFileCountOnce,
      inStatements: Change(
        "$2::uuid, $3::bigint)", "case when $2::uuid is not null then gen_random_uuid() end, $3::bigint)")),
    StoryMutant(
      rule: "the versions of a file and of its backup are told apart",
      story: .aBackupThatIsCopiedOverItsFileIsACopy,
      inStatements: Change("select mark from", "select null::text from")),
    StoryMutant(
      rule: "an object died when it was deleted, not when the deletion arrived",
      story: .aDeletionThatArrivesLateSparesALaterObject,
      inSchema: [Change("= 'on' then realm$seen", "= 'on' then realm.now_hlc()")]),
    StoryMutant(
      rule: "the input is halved until the rejected object is found",
      story: .oneRejectedObjectKeepsNoOtherBack, inSchema: [Change("if lo = hi then", "if true then")]),
    StoryMutant(
      rule: "values that COPY refuses are found before",
      story: .aValueThatPostgreSQLCannotStoreKeepsNoOtherBack,
      failsOnUnsendable: true),
    StoryMutant(
      rule: "what a policy leaves out is denied", story: .whatAPolicyLeavesOutIsTakenBack,
      inSchema: [Change("s._op = 'u' and t._rx <> realm$x", "false")]),
    StoryMutant(
      rule: "stamps of the far future are cut", story: .aStampOfTheFarFutureIsCut,
      inSchema: [Change("realm.now_hlc() + (60000::bigint << 16)", "9223372036854775807")]),
    StoryMutant(
      rule: "amounts are kept for a day", story: .aRestoredServerGetsIncrementsAgain,
      beforeStatement: { stage, file, sql in
        if !sql.hasPrefix("begin isolation") { return }
        try stage.remove(.init(rawValue: 19), from: file)
      }),
  ]
}

extension Stage {
  /// Writes entries of the session behind the back of a client.
  func write(_ entries: [SessionKey: [UInt8]], to file: SimulatedFile) throws {
    if entries.isEmpty { return }
    let snapshot = try Snapshot(file: file.file)
    try Writer(snapshot).begin()
    Writer(snapshot).transaction.origin = .sync
    for (key, bytes) in entries { Writer(snapshot).transaction.setSession(key, bytes) }
    try Writer(snapshot).commit()
  }

  /// Removes all entries of a kind behind the back of a client.
  func remove(_ kind: SessionKey.Kind, from file: SimulatedFile) throws {
    let snapshot = try Snapshot(file: file.file)
    try Writer(snapshot).begin()
    Writer(snapshot).transaction.origin = .sync
    for entry in try snapshot.session(of: kind) { Writer(snapshot).transaction.setSession(entry.key, nil) }
    try Writer(snapshot).commit()
  }
}
