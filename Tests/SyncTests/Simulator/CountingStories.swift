import Storage
import Sync
import TestSupport

// What counts once.
extension Story {
  static let countingStories = [
    aPushWhoseAnswerIsLostCountsOnce, aPushThatDidNotCommitLeavesNothingBehind,
    aRestoredServerGetsIncrementsAgain, aServerRestoredToTheRegistrationGetsEverythingAgain,
    theIncrementsOfACopyCountOnce, aCopyThatComesSecondDropsItsIncrements,
    aFileWhoseRegistrationWasTakenOverSendsNothingUnderIt, copiesOfAnUnknownFileCountOnce,
    aBackupThatIsCopiedOverItsFileIsACopy, aFileWhoseClockWasAheadIsNoBackup,
    aClassThatIsLeftOutWhileACopySendsCountsOnce,
    aDeletedObjectTakesItsIncrementsAlong,
    aPostWithAnotherKeyCountsFromNothing,
  ]

  static let aPushWhoseAnswerIsLostCountsOnce = Story("aPushWhoseAnswerIsLostCountsOnce") { stage in
    let file = try stage.makeFile()
    try stage.synchronise(file)
    // Another process has looked at the server before.
    let other = try stage.makeProcess(of: file)
    try stage.like(3, in: file)
    try stage.connect(file, cut: .init(steps: 0, losesAnswer: true, statement: "commit"))
    try stage.expectCut { try file.client.push() }
    try stage.like(2, in: file)
    while try other.push() {}
    try file.restart()
    try stage.synchronise(file)
    try stage.requireEqual(stage.likes(file), [5, 5])
  }

  static let aPushThatDidNotCommitLeavesNothingBehind = Story("aPushThatDidNotCommitLeavesNothingBehind") {
    stage in
    let file = try stage.makeFile()
    try stage.synchronise(file)
    try stage.like(3, in: file)
    try stage.connect(file, cut: .init(steps: 0, losesAnswer: false, statement: "commit"))
    try stage.expectCut { try file.client.push() }
    try stage.like(2, in: file)
    try stage.connect(file, cut: .init(steps: 0, losesAnswer: true, statement: "commit"))
    try stage.expectCut { try file.client.push() }
    try stage.requireEqual(stage.likes(file), [5, 5])
    try file.restart()
    try stage.connect(file)
    try stage.like(1, in: file)
    try stage.push(file)
    try stage.requireEqual(stage.likes(file), [6, 6])
    try stage.synchronise(file)
    try stage.requireEqual(stage.likes(file), [6, 6])
  }

  /// A server that has lost what was acknowledged, as after the restore of a dump.
  private static func restore(_ stage: Stage, likes: Int64, applied: String) throws {
    try stage.outsider.runScript(
      "update app.\"Post\" set likes = \(likes); update realm.client set applied = \(applied)")
  }

  static let aRestoredServerGetsIncrementsAgain = Story("aRestoredServerGetsIncrementsAgain") { stage in
    let file = try stage.makeFile()
    try stage.synchronise(file)
    try stage.like(3, in: file)
    try stage.synchronise(file)
    let applied = try stage.value("select applied from realm.client")
    try stage.like(4, in: file)
    try stage.synchronise(file)
    try stage.like(20, in: file)
    try stage.synchronise(file)
    try stage.requireEqual(stage.likes(file), [27, 27])
    try restore(stage, likes: 3, applied: applied)
    try stage.like(100, in: file)
    try stage.connect(file)
    try stage.synchronise(file)
    try stage.synchronise(file)
    try stage.requireEqual(stage.likes(file), [127, 127])
  }

  static let aServerRestoredToTheRegistrationGetsEverythingAgain = Story(
    "aServerRestoredToTheRegistrationGetsEverythingAgain"
  ) { stage in
    let file = try stage.makeFile()
    try stage.connect(file)
    let applied = try stage.value("select applied from realm.client")
    try stage.synchronise(file)
    // Old entries of the log are deleted every few commits.
    for _ in 0..<40 { try stage.like(1, in: file) }
    try stage.name(5, "kept", in: file)
    try stage.synchronise(file)
    for _ in 0..<40 { try stage.like(1, in: file) }
    try stage.synchronise(file)
    try restore(stage, likes: 0, applied: applied)
    try stage.outsider.runScript("delete from app.\"Dog\" where id = 5; delete from app.\"Dog$gone\"")
    try stage.connect(file)
    try stage.synchronise(file)
    try stage.requireEqual(stage.likes(file), [80, 80])
    try stage.requireEqual(stage.value("select name from app.\"Dog\" where id = 5"), "kept")
  }

  static let theIncrementsOfACopyCountOnce = Story("theIncrementsOfACopyCountOnce") { stage in
    let original = try stage.makeFile()
    try stage.synchronise(original)
    try stage.like(3, in: original)
    try stage.like(8, key: 2, in: original)
    let copy = try stage.makeCopy(of: original)
    try stage.like(10, in: copy)
    // The answer to the first attempt is lost.
    try stage.expectCut {
      try stage.connect(
        copy, cut: .init(steps: 0, losesAnswer: true, statement: "update realm.client set token"))
    }
    try stage.connect(copy)
    try stage.synchronise(copy)
    try stage.connect(original)
    try stage.synchronise(original, copy)
    try stage.requireEqual(stage.likes(original, copy), [13, 13, 13])
    try stage.requireEqual(stage.likes(key: 2, original, copy), [8, 8, 8])
    try stage.requireEqual([original.rejected.count, copy.rejected.count], [2, 0])
    for file in [original, copy] { try stage.like(1, in: file) }
    try stage.synchronise(original, copy, original)
    try stage.requireEqual(stage.likes(original, copy), [15, 15, 15])
  }

  static let aCopyThatComesSecondDropsItsIncrements = Story("aCopyThatComesSecondDropsItsIncrements") {
    stage in
    let original = try stage.makeFile()
    try stage.synchronise(original)
    try stage.like(3, in: original)
    let copy = try stage.makeCopy(of: original)
    try stage.name(7, "of the copy", in: copy)
    try stage.synchronise(original, copy, original)
    try stage.requireEqual(stage.likes(original, copy), [3, 3, 3])
    try stage.requireEqual([original.rejected.count, copy.rejected.count], [0, 1])
    try stage.requireEqual(stage.nameOfDog(7, in: original), ExactValue(.string("of the copy")))
  }

  static let aFileWhoseRegistrationWasTakenOverSendsNothingUnderIt = Story(
    "aFileWhoseRegistrationWasTakenOverSendsNothingUnderIt"
  ) { stage in
    let original = try stage.makeFile()
    try stage.synchronise(original)
    try stage.like(3, in: original)
    let copy = try stage.makeCopy(of: original)
    try stage.name(7, "of the copy", in: copy)
    try stage.connect(copy)
    // Its connection is older.
    try stage.push(original)
    try stage.synchronise(copy, original, copy)
    try stage.requireEqual(stage.likes(original, copy), [3, 3, 3])
    for file in [original, copy] {
      try stage.requireEqual(stage.nameOfDog(7, in: file), ExactValue(.string("of the copy")))
    }
  }

  static let copiesOfAnUnknownFileCountOnce = Story("copiesOfAnUnknownFileCountOnce") { stage in
    let original = try stage.makeFile()
    try stage.like(3, key: 7, in: original)
    try stage.name(7, "in both", in: original)
    let copies = [try stage.makeCopy(of: original), try stage.makeCopy(of: original, isClosed: true)]
    try stage.like(10, key: 7, in: copies[1])
    try stage.name(8, "of the copy", in: copies[1])
    // The answer to the first attempt is lost.
    try stage.expectCut {
      try stage.connect(
        copies[0], cut: .init(steps: 0, losesAnswer: true, statement: "insert into realm.client"))
    }
    try stage.connect(copies[0])
    try stage.synchronise(copies[0], copies[1], original, copies[0], copies[1])
    try stage.requireEqual(stage.likes(key: 7, original, copies[0], copies[1]), [3, 3, 3, 3])
    try stage.requireEqual(([original] + copies).map(\.rejected.count), [1, 0, 1])
    try stage.requireEqual(stage.nameOfDog(8, in: original), ExactValue(.string("of the copy")))
    for file in [original] + copies { try stage.like(1, key: 7, in: file) }
    try stage.synchronise(original, copies[0], copies[1], original)
    try stage.requireEqual(stage.likes(key: 7, original), [6, 6])
  }

  static let aBackupThatIsCopiedOverItsFileIsACopy = Story("aBackupThatIsCopiedOverItsFileIsACopy") { stage in
    let file = try stage.makeFile()
    try stage.synchronise(file)
    try stage.like(3, in: file)
    try file.backUp()
    try stage.name(7, "after the backup", in: file)
    try stage.synchronise(file)
    _ = try file.restoreBackup()
    // More versions than the server has.
    for number in 0..<8 { try stage.name(8, "version \(number)", in: file) }
    try stage.like(1, in: file)
    try stage.synchronise(file)
    try stage.synchronise(file)
    try stage.requireEqual(stage.likes(file), [3, 3])
    try stage.requireEqual(file.rejected.map(\.reason), [.lost])
    for (key, name) in [(7, "after the backup"), (8, "version 7")] {
      try stage.requireEqual(stage.nameOfDog(Int64(key), in: file), ExactValue(.string(name)))
      try stage.requireEqual(stage.value("select name from app.\"Dog\" where id = \(key)"), name)
    }
  }

  /// What it writes after the first contact has lesser stamps than what it had before.
  static let aFileWhoseClockWasAheadIsNoBackup = Story("aFileWhoseClockWasAheadIsNoBackup") { stage in
    let file = try stage.makeFile(skew: 86_400_000)
    try stage.connect(file)
    try stage.like(3, key: 7, in: file)
    try stage.expectCut {
      try stage.connect(file, cut: .init(steps: 0, losesAnswer: true, statement: "commit"))
      try stage.push(file)
    }
    try stage.connect(file)
    try stage.synchronise(file)
    try stage.requireEqual(stage.likes(key: 7, file), [3, 3])
    try stage.requireEqual(stage.value("select count(*)::text from realm.client"), "1")
    try stage.requireEqual(file.rejected.count, 0)
  }

  static let aClassThatIsLeftOutWhileACopySendsCountsOnce = Story(
    "aClassThatIsLeftOutWhileACopySendsCountsOnce"
  ) { stage in
    let original = try stage.makeFile()
    try stage.synchronise(original)
    try stage.like(3, in: original)
    let copy = try stage.makeCopy(of: original)
    try copy.restart(leavingOut: "Post")
    try stage.synchronise(original, copy)
    try copy.restart(leavingOut: nil)
    try stage.synchronise(copy, original)
    try stage.requireEqual(stage.likes(original, copy), [3, 3, 3])
    try stage.requireEqual([original.rejected.count, copy.rejected.count], [0, 1])
  }

  static let aPostWithAnotherKeyCountsFromNothing = Story("aPostWithAnotherKeyCountsFromNothing") { stage in
    let file = try stage.makeFile()
    try stage.synchronise(file)
    try stage.like(3, in: file)
    try stage.synchronise(file)
    try stage.execute("insert into app.\"Post\" (id, likes) values (9, 10)")
    try stage.rename(1, 9, in: file)
    try stage.like(1, key: 9, in: file)
    try file.client.pull()
    try stage.synchronise(file)
    try stage.requireEqual(stage.likes(key: 9, file), [14, 14])
    try stage.requireEqual(stage.likes(file), [-1, -1])
    try stage.like(1, key: 9, in: file)
    try stage.synchronise(file)
    try stage.requireEqual(stage.likes(key: 9, file), [15, 15])
  }

  static let aDeletedObjectTakesItsIncrementsAlong = Story("aDeletedObjectTakesItsIncrementsAlong") { stage in
    let (first, second) = (try stage.makeFile(), try stage.makeFile())
    try stage.synchronise(first, second)
    stage.setBack(first)
    try stage.like(3, in: first)
    try stage.execute("delete from app.\"Post\" where id = 1")
    try stage.synchronise(first, second)
    try stage.requireEqual(stage.likes(first, second), [-1, -1, -1])
    try stage.like(4, in: second)
    try stage.synchronise(second, first)
    try stage.requireEqual(stage.likes(first, second), [4, 4, 4])
  }
}
