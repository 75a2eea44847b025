import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Storage

/// What the descriptors of a file are, and what they lead to.
@Suite struct FileDescriptorTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path("data.realm") }

  /// As a container has it that mounts the file instead of the folder. Its path leads to the file after the name is gone.
  @Test func aMountedFileWithoutANameIsNotWritten() throws {
    try CommitSignalTests.commit(DatabaseFile.open(path: path))
    let mounted = folder.path("mounted.realm")
    try Data().write(to: URL(fileURLWithPath: mounted))
    guard mount(path, mounted, nil, UInt(MS_BIND), nil) == 0 else {
      try Test.cancel("mounting a file needs more rights")
    }
    defer { umount2(mounted, Int32(MNT_DETACH)) }
    var file: DatabaseFile! = try DatabaseFile.open(path: mounted)
    try CommitSignalTests.commit(file)
    unlink(path)
    // Commits that do not wait for the disk look once for each step of the clock.
    usleep(20_000)
    let error = #expect(throws: StorageError.self) { try CommitSignalTests.commit(file) }
    #expect(
      error?.message.contains("was deleted, moved or replaced while it was open") == true,
      "\(error?.message ?? "")"
    )
    file = nil
    let refusal = #expect(throws: StorageError.self) { try DatabaseFile.open(path: mounted) }
    #expect(
      refusal?.message.contains("it was deleted, moved or replaced outside of what is mounted here") == true)
    #expect(throws: Never.self) { try DatabaseFile.open(path: mounted, readOnly: true) }
  }

  /// Of a program that has closed its standard descriptors, another thread prints at any time: no file of ours is ever under one, not
  /// even while it is opened.
  @Test func closedStandardDescriptorsLeadToNothing() async {
    await #expect(processExitsWith: .exitCode(0)) { [path = path as String] in
      for standard in 0...2 as ClosedRange<Int32> { close(standard) }
      let ended = Atomic(false)
      let hasStarted = Thread.start {
        while !ended.load(ordering: .relaxed) { write(1, "printed ", 8) }
      }
      guard hasStarted else { _exit(2) }
      for round in 0..<200 {
        guard let file = try? DatabaseFile.open(path: path), (try? CommitSignalTests.commit(file)) != nil
        else {
          _exit(3)
        }
        for standard in 0...2 as ClosedRange<Int32> {
          let flags = fcntl(standard, F_GETFL)
          if flags < 0 || flags & O_ACCMODE != O_RDONLY { _exit(4) }
        }
        if round % 20 == 19 { unlink(path + "-lock") }
      }
      ended.store(true, ordering: .relaxed)
      _exit(0)
    }
  }

  /// A child that lives on keeps no locks, though files were just being opened when it began, and neither thread waits for ever.
  @Test func filesAreOpenedWhileTheProcessForks() async {
    await #expect(processExitsWith: .exitCode(0)) { [folder = folder.path("") as String] in
      let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> Int32).self)
      let count = 100
      let opened = Atomic(0)
      let started = Thread.start {
        for number in 0..<count {
          if let file = try? DatabaseFile.open(path: "\(folder)/\(number).realm") {
            try? CommitSignalTests.commit(file)
          }
          opened.add(1, ordering: .sequentiallyConsistent)
        }
      }
      var (pipes, byte): ([Int32], UInt8) = ([0, 0], 0)
      guard started, pipe(&pipes) == 0 else { _exit(2) }
      let output = pipes[1]
      var children: [Int32] = []
      // The children would keep the pipe of the test open.
      func end(_ code: Int32) -> Never {
        for child in children { kill(child, SIGKILL) }
        _exit(code)
      }
      let deadline = Date(timeIntervalSinceNow: 60)
      while opened.load(ordering: .sequentiallyConsistent) < count {
        if Date() > deadline { end(5) }
        if children.count == 100 { continue }
        let child = fork()
        if child == 0 {
          write(output, &byte, 1)
          while true { pause() }
        }
        children.append(child)
      }
      // A child that has not run yet has what it inherited.
      for _ in children {
        var reported = pollfd(fd: pipes[0], events: Int16(POLLIN), revents: 0)
        if poll(&reported, 1, 20_000) == 1, read(pipes[0], &byte, 1) == 1 { continue }
        // Code of a child that is not optimised may wait for locks of Swift's runtime that no thread there has any more.
        for child in children { kill(child, SIGKILL) }
        break
      }
      for number in 0..<count {
        let path = "\(folder)/\(number).realm"
        // Whether locks of the former lock file are left.
        unlink(path + "-lock")
        guard let file = try? DatabaseFile.open(path: path), (try? CommitSignalTests.commit(file)) != nil
        else {
          end(3)
        }
      }
      end(children.count > 10 ? 0 : 4)
    }
  }

  /// What a program prints that runs without them would get into the file.
  @Test func aFileGetsNoStandardDescriptor() async {
    await #expect(processExitsWith: .exitCode(0)) { [path = path as String] in
      for descriptor in [Int32(0), 1, 2] { close(descriptor) }
      let file = try DatabaseFile.open(path: path)
      try CommitSignalTests.commit(file)
      for descriptor in [Int32(0), 1, 2] {
        if FileIdentity(descriptor: descriptor) == file.identity { _exit(3) }
        var information = stat()
        if fstat(descriptor, &information) == 0, FileIdentity(information) == file.lockIdentity { _exit(4) }
      }
      _exit(0)
    }
  }
}
