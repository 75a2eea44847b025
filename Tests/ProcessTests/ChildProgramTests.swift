import Foundation
import TestSupport
import Testing

/// Programs that tests start.
@Suite struct ChildProgramTests {
  /// It is nothing to them how many files the tests have open, in which order, and whose they are.
  @Test func haveOnlyTheFilesThatTheyAreGiven() throws {
    var limit = rlimit()
    try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    var enough = limit
    enough.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, 8192))
    try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &enough) == 0)
    let descriptors = (0..<1500).map { _ in open("/dev/null", O_RDONLY) }
    defer {
      for descriptor in descriptors { close(descriptor) }
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    try #require(descriptors.allSatisfy { $0 >= 0 })
    // The last number is that of the folder which is being read.
    let listed = try ChildProgram.run(["/bin/ls", "/proc/self/fd"])
    #expect(String(decoding: listed.said, as: UTF8.self) == "0\n1\n2\n3\n")
    #expect(listed.end == .exit(0))
  }

  @Test func howTheyEnd() throws {
    #expect(try ChildProgram(["/bin/sh", "-c", "exit 3"]).wait() == .exit(3))
    let sleeping = try ChildProgram(["/bin/sleep", "600"])
    #expect(sleeping.isRunning)
    sleeping.send(SIGKILL)
    #expect(sleeping.wait() == .signal(SIGKILL))
    #expect(!sleeping.isRunning)
    #expect(ChildProgram.End.signal(SIGKILL).status == 137)
    #expect(throws: ChildProgram.StartError.self) { try ChildProgram(["/bin/there is none"]) }
    #expect(try ChildProgram(["/bin/sleep", "600"], limit: 0).wait() == .signal(SIGKILL))
  }

  @Test func whereTheyWork() throws {
    let folder = ScratchFolder()
    let words = ["/bin/sh", "-c", "pwd; echo $GIVEN; echo error >&2"]
    let run = try ChildProgram.run(words, environment: ["GIVEN": "a value"], folder: folder.url)
    let place = folder.url.resolvingSymlinksInPath().path
    #expect(String(decoding: run.said, as: UTF8.self) == "\(place)\na value\n")
    #expect(try ChildProgram.run(words, readsError: true).said == Data("error\n".utf8))
  }

  @Test func areNotStartedByFoundation() throws {
    let tests = Repository.folder.appending(path: "Tests")
    let files = try #require(FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
    for case let file as URL in files where file.pathExtension == "swift" {
      let source = try String(contentsOf: file, encoding: .utf8)
      #expect(!source.contains("= Process" + "()"), "\(file.lastPathComponent)")
    }
  }
}
