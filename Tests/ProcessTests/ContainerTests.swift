import Foundation
import ProcessTestModels
import RealmSwift
import TestSupport
import Testing

/// Processes in PID namespaces of their own, as in containers: each of them is process 1.
@Suite(.enabled(if: getuid() == 0, "only root can make PID namespaces"))
struct ContainerTests {
  private let folder = ScratchFolder()
  private var path: String { folder.path("ledger.realm") }
  private static let container = [
    "/usr/bin/unshare", "--pid", "--fork", "--kill-child=SIGKILL", "--mount-proc",
  ]

  private func start(_ command: String, _ arguments: String...) throws -> WorkerProcess {
    switch arguments.count {
    case 0: try WorkerProcess(command, path, prefix: Self.container)
    default: try WorkerProcess(command, path, arguments[0], arguments[1], prefix: Self.container)
    }
  }

  @Test func twoProcessesOfOneNumberReadAndWrite() throws {
    let follower = try start("follow")
    #expect(follower.nextNumber() == 0)
    let writers = [try start("write", "a", "20"), try start("write", "b", "20")]
    // It is notified of what others commit, until the last commit.
    while let number = follower.nextNumber(), number < 40 {}
    #expect(follower.lastNumber == 40)
    for writer in writers { #expect(writer.finish()) }
    follower.kill()
    let ledger = try Ledger(path: path)
    #expect(ledger.number == 40 && ledger.fault == nil)
  }

  /// Some give each container its own number of the boot, or hide it.
  @Test(arguments: ["mount --bind \"$1\"", "mount -t tmpfs tmpfs"]) func containersNeedNotKnowTheBoot(
    mount: String
  ) throws {
    let ledger = try Ledger(path: path)
    try ledger.append()
    let number = folder.path("boot_id")
    try Data("00000000-f1a0-4086-8493-258333bd8114\n".utf8).write(to: URL(fileURLWithPath: number))
    let place = mount.contains("bind") ? "/proc/sys/kernel/random/boot_id" : "/proc/sys/kernel/random"
    let prefix = [
      "/usr/bin/unshare", "--mount", "--propagation", "private", "/bin/sh", "-c",
      "\(mount) \(place) && shift && exec \"$@\"", "sh", number,
    ]
    for round in 1...3 {
      #expect(try WorkerProcess("write", path, "a", "5", prefix: prefix).finish())
      ledger.realm.refresh()
      #expect(ledger.number == 6 * round)
      try ledger.append()
    }
    #expect(ledger.fault == nil)
  }

  @Test func twoProcessesOfOneNumberOpenTheFileToRead() throws {
    for _ in 0..<3 { try Ledger(path: path).append() }
    let readers = [try start("sample", "-", "20"), try start("sample", "-", "20")]
    for reader in readers {
      for _ in 0..<20 { #expect(reader.nextNumber() == 3) }
      #expect(reader.finish())
    }
  }

  /// A process that is killed and started again under its number, while another one keeps the file open and writes, leaves no
  /// pinned version.
  @Test func restartedProcessesPinNothing() throws {
    let ledger = try Ledger(path: path)
    try ledger.append()
    var sizes: [Int] = []
    var worker: WorkerProcess?
    for round in 0..<20 {
      worker?.kill()
      worker = try start("freeze")
      #expect(worker?.nextNumber() == 1 + 3 * round)
      // This process is in no PID namespace of which that one could see it.
      #expect(worker?.nextNumber() == 1)
      for _ in 0..<3 { try ledger.append() }
      let diagnostics = ledger.realm.diagnostics
      let others = diagnostics.readers.filter { $0.owner.hasPrefix("the process ") }
      #expect(others.count == 1 && diagnostics.activeVersionCount == 4, "\(diagnostics)")
      sizes.append(diagnostics.fileSize)
    }
    worker?.kill()
    #expect(sizes[19] <= sizes[9] + 100_000, "\(sizes)")
  }
}
