import Foundation
import RealmSwift

/// Which calls fail, and how.
struct Attack: Sendable, CustomStringConvertible {
  var calls: String
  var number: Int
  /// Whether all that follow fail as well.
  var isLasting: Bool
  var error: Int32
  /// Whether writes write half of it instead.
  var isShort = false
  var isRelaxed: Bool
  /// Whether the file is encrypted.
  var isEncrypted: Bool
  /// The pages of a small disk, on which calls fail by themselves when it is full.
  var pages: Int?

  var description: String {
    let manner = "\(isRelaxed ? ", relaxed" : "")\(isEncrypted ? ", encrypted" : "")"
    if let pages { return "a disk of \(pages) pages\(manner)" }
    let text = isShort ? "short" : String(cString: strerror(error))
    let calls = calls == Self.fileCalls ? "calls" : calls
    return "\(calls) \(number)\(isLasting ? " and later" : "") \(text)\(manner)"
  }

  var environment: [String: String] {
    if pages != nil { return [:] }
    var variables = [
      "FAULT_CALLS": calls, "FAULT_AT": "\(number)", "FAULT_COUNT": isLasting ? "0" : "1",
      "FAULT_ERRNO": "\(error)",
    ]
    if isShort { variables["FAULT_SHORT"] = "1" }
    return variables
  }

  /// Whether a program may have ended so: where it reads an encrypted file and cannot throw, it has no other way. Where it reads a
  /// plain one, it is the system that ends it. It tells the cause.
  func mayStop(_ end: ChildProcess.End, _ errorText: String) -> Bool {
    let names = calls.split(separator: ",")
    guard isEncrypted, names.contains("pread") || names.contains("mmap") else { return false }
    return [.signal(SIGILL), .signal(SIGTRAP)].contains(end)
      && errorText.contains("Fatal error: ") && errorText.contains(String(cString: strerror(error)))
  }

  /// The n-th of all calls for every n, with what the disk may say; and of single kinds with what only they may say. Every
  /// other one meets an encrypted file.
  static func all() throws -> [Attack] {
    var attacks: [Attack] = []
    for isRelaxed in [false, true] {
      let lives = try [false, true].map {
        try FailingLife.countCalls(isRelaxed: isRelaxed, isEncrypted: $0)
      }
      func add(_ calls: String, _ errors: [Int32], lasting: [Bool] = [false, true], isShort: Bool = false) {
        let names = calls.split(separator: ",").map(String.init)
        let counts = lives.map { counts in names.reduce(0) { $0 + (counts[$1] ?? 0) } }
        for number in 1...max(1, counts.max()!) {
          for error in errors {
            for isLasting in lasting {
              attacks.append(
                Attack(
                  calls: calls, number: number, isLasting: isLasting, error: error, isShort: isShort,
                  isRelaxed: isRelaxed, isEncrypted: (number + attacks.count) % 2 == 0))
            }
          }
        }
      }
      add(fileCalls, [ENOSPC, EIO])
      add("write,pwrite", [ENOSPC, EIO, EFBIG])
      add("write,pwrite", [ENOSPC], isShort: true)
      add("fdatasync,fsync,msync", [EIO])
      add("flock,fcntl", [ENOLCK])
      add("open", [EMFILE])
      add("mmap", [ENOMEM])
      // Those that dispatch queues run on are among them: they wait for ever when there is none.
      add("pthread_create", [EAGAIN], lasting: [false])
      // What a signal interrupts is tried again.
      add("open,write,pwrite,fdatasync,fsync,ftruncate,fallocate,flock,fcntl", [EINTR], lasting: [false])
    }
    return attacks
  }

  /// Disks that are full at every moment of a file's beginning.
  static let smallDisks = (0..<100).flatMap { pages -> [Attack] in
    [false, true].map { isRelaxed in
      Attack(
        calls: "", number: 0, isLasting: true, error: ENOSPC, isRelaxed: isRelaxed,
        isEncrypted: isRelaxed == (pages % 2 == 0), pages: pages)
    }
  }

  private static let fileCalls =
    "open,read,pread,write,pwrite,fdatasync,fsync,msync,ftruncate,fallocate,mmap,flock,fcntl,fstat,rename,renameat2,link,unlink,mkdir,rmdir"
}
