import Storage
import Sync
import TestSupport

/// What happens between files and a server when a rule of synchronisation is needed. It throws when the rule does not hold.
struct Story: Sendable {
  let name: String
  let run: @Sendable (Stage) throws -> Void

  init(_ name: String, _ run: @escaping @Sendable (Stage) throws -> Void) {
    self.name = name
    self.run = run
  }

  static let all: [Story] =
    [
      anEarlierTransactionThatEndsLaterArrives, whatTheServerRejectsIsReadAgain,
      nothingIsSentThatAPowerCutCouldTakeBack, aClockThatIsADayAheadDoesNotWin,
      aDeletionThatArrivesLateSparesALaterObject, oneRejectedObjectKeepsNoOtherBack,
      aValueThatPostgreSQLCannotStoreKeepsNoOtherBack, whatAPolicyLeavesOutIsTakenBack,
      aStampOfTheFarFutureIsCut, aDateBetweenTwoMicrosecondsIsRoundedInItsFileToo,
    ] + countingStories

  static let anEarlierTransactionThatEndsLaterArrives = Story("anEarlierTransactionThatEndsLaterArrives") {
    stage in
    let file = try stage.makeFile()
    try stage.synchronise(file)
    try stage.outsider.runScript("begin; insert into app.\"Dog\" (id, name) values (2, 'early')")
    try stage.execute("insert into app.\"Dog\" (id, name) values (3, 'late')")
    try file.client.pull()
    try stage.requireEqual(stage.nameOfDog(3, in: file), ExactValue(.string("late")))
    try stage.outsider.runScript("commit")
    try file.client.pull()
    try stage.requireEqual(stage.nameOfDog(2, in: file), ExactValue(.string("early")))
  }

  static let whatTheServerRejectsIsReadAgain = Story("whatTheServerRejectsIsReadAgain") { stage in
    let file = try stage.makeFile()
    try stage.synchronise(file)
    try stage.name(1, "refused", age: 5000, in: file)
    try stage.synchronise(file)
    try stage.requireEqual(stage.nameOfDog(1, in: file), ExactValue(.string("begin")))
    try stage.requireEqual(file.rejected.count, 1)
  }

  static let nothingIsSentThatAPowerCutCouldTakeBack = Story("nothingIsSentThatAPowerCutCouldTakeBack") {
    stage in
    let file = try stage.makeFile()
    try stage.synchronise(file)
    stage.beforeStatement = { file, sql in
      if sql == "begin" || sql.contains("realm.begin_push()") {
        try stage.require(stage.isDurable(file), "what is sent is durable")
      }
    }
    let long = String(repeating: "long", count: 1 << 19)
    for round in 0..<4 {
      try stage.connect(file, cut: .init(steps: 0, losesAnswer: true, statement: "commit"))
      // The disk has something to do while the push begins.
      try stage.name(2, "\(round)" + long, in: file)
      try stage.like(1, in: file)
      try stage.expectCut { try file.client.push() }
      try file.cutPower()
      try stage.synchronise(file)
      try stage.requireEqual(stage.likes(file), [Int64(round) + 1, Int64(round) + 1])
    }
  }

  static let aClockThatIsADayAheadDoesNotWin = Story("aClockThatIsADayAheadDoesNotWin") { stage in
    let ahead = try stage.makeFile(skew: 86_400_000)
    let right = try stage.makeFile()
    try stage.synchronise(ahead, right)
    try stage.name(1, "first", in: ahead)
    // Some seconds later than the other one: what the correction of clocks misses decides nothing then.
    right.file.milliseconds = { SyncClock.systemMilliseconds() + 5000 }
    try stage.name(1, "second", in: right)
    try stage.synchronise(ahead, right, ahead)
    for file in [ahead, right] {
      try stage.requireEqual(stage.nameOfDog(1, in: file), ExactValue(.string("second")))
    }
  }

  static let aDeletionThatArrivesLateSparesALaterObject = Story("aDeletionThatArrivesLateSparesALaterObject")
  {
    stage in
    let (first, second) = (try stage.makeFile(), try stage.makeFile())
    try stage.synchronise(first, second)
    stage.setBack(first)
    try stage.delete(1, in: first)
    try stage.delete(1, in: second)
    try stage.name(1, "new", in: second)
    try stage.synchronise(first, second, first)
    for file in [first, second] {
      try stage.requireEqual(stage.nameOfDog(1, in: file), ExactValue(.string("new")))
    }
  }

  static let oneRejectedObjectKeepsNoOtherBack = Story("oneRejectedObjectKeepsNoOtherBack") { stage in
    let file = try stage.makeFile()
    try stage.synchronise(file)
    for key in 10..<15 { try stage.name(Int64(key), "dog", age: key == 12 ? 5000 : 1, in: file) }
    try stage.synchronise(file)
    try stage.requireEqual(
      stage.value("select string_agg(id::text, ' ' order by id) from app.\"Dog\""), "1 10 11 13 14")
    try stage.requireEqual(file.rejected.count, 1)
    try stage.requireEqual(stage.nameOfDog(12, in: file), nil)
  }

  static let aValueThatPostgreSQLCannotStoreKeepsNoOtherBack = Story(
    "aValueThatPostgreSQLCannotStoreKeepsNoOtherBack"
  ) { stage in
    let file = try stage.makeFile()
    try stage.synchronise(file)
    try stage.name(1, "a\0b", in: file)
    try stage.name(2, "other", in: file)
    try stage.synchronise(file)
    try stage.requireEqual(
      stage.value("select string_agg(name, ' ' order by id) from app.\"Dog\""), "begin other")
    try stage.requireEqual(stage.nameOfDog(1, in: file), ExactValue(.string("begin")))
    try stage.requireEqual(file.rejected.count, 1)
  }

  static let whatAPolicyLeavesOutIsTakenBack = Story("whatAPolicyLeavesOutIsTakenBack") { stage in
    try stage.outsider.makeRole("story_reader")
    try stage.outsider.runScript(
      """
      alter table app."Dog" enable row level security;
      create policy reads on app."Dog" for select using (true);
      create policy adds on app."Dog" for insert with check (true);
      create policy changes on app."Dog" for update using (id <> 1)
      """)
    let file = try stage.makeFile()
    try stage.connect(file, role: "story_reader")
    try stage.synchronise(file)
    try stage.name(1, "denied", in: file)
    try stage.name(2, "allowed", in: file)
    try stage.synchronise(file)
    try stage.requireEqual(
      stage.value("select string_agg(name, ' ' order by id) from app.\"Dog\""), "begin allowed")
    try stage.requireEqual(stage.nameOfDog(1, in: file), ExactValue(.string("begin")))
    try stage.requireEqual(file.rejected.count, 1)
  }

  static let aDateBetweenTwoMicrosecondsIsRoundedInItsFileToo = Story(
    "aDateBetweenTwoMicrosecondsIsRoundedInItsFileToo"
  ) { stage in
    let file = try stage.makeFile()
    try file.write { snapshot in
      let tags = snapshot.table(SimulatedModel.tag)
      let row = tags.insertRow()
      tags.setString(0, row, "a")
      tags.setDouble(2, row, 854669580.0679905)
    }
    try stage.synchronise(file)
    try stage.requireEqual(
      file.objects(SimulatedModel.tag)[ExactValue(.string("a"))]?[1], ExactValue(.date(854669580.067991)))
  }

  static let aStampOfTheFarFutureIsCut = Story("aStampOfTheFarFutureIsCut") { stage in
    let file = try stage.makeFile()
    try stage.synchronise(file)
    // The clock is set while the connection lasts.
    file.file.milliseconds = { SyncClock.systemMilliseconds() + 86_400_000 }
    try stage.name(1, "changed", in: file)
    try stage.name(2, "created", in: file)
    try stage.push(file)
    try stage.requireEqual(
      stage.value(
        """
        select count(*) from app."Dog" d, unnest(d._at || d._st) s(v)
          where s.v > realm.now_hlc() + (61000::bigint << 16)
        """), "0")
  }
}
