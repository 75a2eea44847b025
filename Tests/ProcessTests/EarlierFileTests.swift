import Foundation
import RealmSwift
import TestSupport
import Testing

/// Files of earlier formats that several processes open at once, or that are being converted when a call fails or a process is killed.
@Suite struct EarlierFileTests {
  private let folder = ScratchFolder()
  private static let place = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../RealmSwiftTests/Opening/EarlierFiles")
  private static let catCount = 1_010

  /// A file of its own folder.
  private struct Sample {
    let folder: URL
    let path: String
    let content: Data

    init(in folder: URL, hasJournal: Bool) throws {
      let name = hasJournal ? "format5-journal" : "format5"
      self.folder = folder.appending(path: "\(UUID())")
      path = self.folder.appending(path: "cats.realm").path
      try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: false)
      content = try Data(contentsOf: place.appending(path: "\(name).realm"))
      try content.write(to: URL(fileURLWithPath: path))
      if !hasJournal { return }
      try FileManager.default.copyItem(
        atPath: place.appending(path: "\(name).realm-journal").path, toPath: path + "-journal")
    }

    var names: [String] {
      get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    var isConverted: Bool { get throws { try Data(contentsOf: URL(fileURLWithPath: path)) != content } }
  }

  /// Opens the file in this process, and finds everything in it.
  private func expectWhole(_ sample: Sample, _ comment: Comment) throws {
    do {
      let configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: sample.path), schemaVersion: 1, objectTypes: [])
      let realm = try Realm(configuration: configuration)
      #expect(realm.dynamicObjects("Cat").count == Self.catCount, comment)
    }
    #expect(try Realm.verify(at: URL(fileURLWithPath: sample.path)).isSound, comment)
  }

  @Test func severalProcesses() throws {
    for round in 0..<5 {
      let sample = try Sample(in: folder.url, hasJournal: round % 2 == 0)
      let workers = try (0..<4).map { _ in try WorkerProcess("earlier", sample.path) }
      for worker in workers {
        #expect(worker.finish())
        #expect(worker.lastNumber == Self.catCount)
      }
      try expectWhole(sample, "round \(round)")
      #expect(try sample.names == ["cats.realm", "cats.realm-lock"])
    }
  }

  /// A process that is killed before any of its calls, or of which the call fails, leaves the old file or the new one.
  @Test(arguments: [true, false], [true, false]) func eachCallFails(isKilled: Bool, hasJournal: Bool) throws {
    var step = 1
    var converted = 0
    while true {
      let sample = try Sample(in: folder.url, hasJournal: hasJournal)
      var environment = FailingCalls.environment("all", error: EIO, in: sample.folder.path)
      environment["FAULT_AT"] = "\(step)"
      environment["FAULT_COUNT"] = "1"
      environment["FAULT_REPORT"] = folder.path("report")
      if isKilled { environment["FAULT_SIGNAL"] = "\(SIGKILL)" }
      try? FileManager.default.removeItem(at: folder.file("report"))
      let worker = try WorkerProcess("earlier", sample.path, environment: environment)
      let hasFinished = worker.finish()
      #expect(!hasFinished || worker.lastNumber == Self.catCount)
      if try sample.isConverted { converted += 1 }
      let report = (try? String(contentsOf: folder.file("report"), encoding: .utf8)) ?? ""
      try expectWhole(sample, "step \(step): \(report.prefix { $0 != "\n" })")
      if !report.contains("failed") { break }
      step += TestLength.count(7, long: 1)
    }
    #expect(step > 50 && converted > 0)
  }

  @Test(arguments: [("renameat2", EINVAL), ("renameat2", ENOSYS), ("renameat2,link", EPERM)])
  func withoutAnExchangeOfNamesTheFormerFileIsCopied(calls: String, error: Int32) throws {
    let sample = try Sample(in: folder.url, hasJournal: true)
    let environment = FailingCalls.environment(calls, error: error, in: folder.url.path)
    let worker = try WorkerProcess("earlier", sample.path, environment: environment)
    #expect(worker.finish() && worker.lastNumber == Self.catCount)
    #expect(try sample.names == ["cats.realm", "cats.realm-lock", "cats.realm.v5"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: sample.path + ".v5")) == sample.content)
    try expectWhole(sample, "copied")
    #expect(try sample.names == ["cats.realm", "cats.realm-lock"])
  }

  /// What fails leaves everything as it was.
  @Test(arguments: ["renameat2", "renameat2,link,rename", "pwrite", "fsync"], [EIO, ENOSPC])
  func nothingHasChanged(calls: String, error: Int32) throws {
    let sample = try Sample(in: folder.url, hasJournal: true)
    let before = try sample.names
    let environment = FailingCalls.environment(calls, error: error, in: folder.url.path)
    #expect(try !WorkerProcess("earlier", sample.path, environment: environment).finish())
    #expect(try !sample.isConverted)
    #expect(try sample.names == before)
    try expectWhole(sample, "after \(calls)")
  }
}
