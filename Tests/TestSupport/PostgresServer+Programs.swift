import Foundation
import LibC

/// The programs of PostgreSQL and the user that runs them.
enum PostgresPrograms {
  /// A program is missing, or has failed.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private static let found = Result {
    let debian = "/usr/lib/postgresql"
    let versions = ((try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []).compactMap(Int.init)
    let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let folders = versions.sorted(by: >).map { "\(debian)/\($0)/bin" } + path
    guard let folder = folders.first(where: { access("\($0)/initdb", X_OK) == 0 }) else {
      throw Failure(
        description: "PostgreSQL's programs are missing: install them with Scripts/install-dependencies")
    }
    return folder
  }

  /// The folder of the newest version's programs.
  static func folder() throws -> String { try found.get() }

  /// What precedes a command, so that it does not run as root: PostgreSQL refuses that.
  static let prefix: [String] =
    getuid() != 0
    ? []
    : ["/usr/bin/setpriv", "--reuid", user, "--regid", String(group), "--clear-groups"]

  /// The user that runs the server when the tests are run by root.
  static let user = getpwnam("postgres") == nil ? "nobody" : "postgres"
  private static let group = getpwnam(user)!.pointee.pw_gid

  /// Gives a folder to the user that runs the server.
  static func handOver(_ folder: String) {
    guard getuid() == 0, let entry = getpwnam(user) else { return }
    chown(folder, entry.pointee.pw_uid, entry.pointee.pw_gid)
  }

  /// The command of a program, to be followed by its arguments.
  static func words(for program: String) throws -> [String] { try prefix + ["\(folder())/\(program)"] }

  /// Runs a command to its end and returns what it wrote.
  @discardableResult
  static func run(_ command: [String], asServer: Bool = true) throws -> String {
    let pipe = Pipe()
    let program = try ChildProgram(
      (asServer ? prefix : []) + command, folder: URL(fileURLWithPath: "/"), input: .nullDevice,
      output: pipe.fileHandleForWriting, error: pipe.fileHandleForWriting)
    try pipe.fileHandleForWriting.close()
    let said = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    guard program.wait() == .exit(0) else { throw Failure(description: "\(command[0]): \(said)") }
    return said
  }
}

/// The folders of all servers of this process, which a guard process removes when this process has ended.
enum PostgresFolders {
  /// Waits for the end of its input, which is the end of the test process; then ends the servers and removes the folder.
  private static let guardScript = """
    read -r line
    for file in "$0"/*/data/postmaster.pid; do
      [ -f "$file" ] && kill -QUIT "$(head -n 1 "$file")" 2>/dev/null
    done
    for attempt in 1 2 3 4 5 6 7 8 9 10; do
      rm -rf "$0" 2>/dev/null && [ ! -e "$0" ] && exit
      sleep 0.2
    done
    """

  private static let root = Result {
    // Short: the path of a Unix socket has at most 107 bytes.
    var pattern = Array("/tmp/openrealm-postgres-XXXXXX".utf8CString)
    guard mkdtemp(&pattern) != nil else { throw PostgresPrograms.Failure(description: "no folder in /tmp") }
    let path = String(decoding: pattern.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    PostgresPrograms.handOver(path)
    chmod(path, 0o755)
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw PostgresPrograms.Failure(description: "no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // The other end stays open until this process ends.
    let input = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    _ = try ChildProgram(
      ["/bin/sh", "-c", guardScript, path], folder: URL(fileURLWithPath: "/"), input: input,
      output: .nullDevice,
      error: .nullDevice, limit: nil)
    return path
  }

  private static let templateFolder = Result {
    let path = try root.get() + "/template"
    try PostgresPrograms.run([
      "\(PostgresPrograms.folder())/initdb", "-D", path, "-A", "trust", "-U", "postgres", "--no-locale", "-E",
      "UTF8",
      "--no-sync", "--no-instructions",
    ])
    // Members of this role need their password, whatever the lines below say.
    let roles = """
      local all +with_password scram-sha-256
      host all +with_password 127.0.0.1/32 scram-sha-256

      """
    let file = "\(path)/pg_hba.conf"
    let lines = try roles + String(contentsOfFile: file, encoding: .utf8)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
    try handle.write(contentsOf: Data(lines.utf8))
    try handle.close()
    try makeRoles(in: path)
    return path
  }

  /// Creates the role of `pg_hba.conf` in a server without connections.
  private static func makeRoles(in path: String) throws {
    let command = try PostgresPrograms.words(for: "postgres") + ["--single", "-D", path, "postgres"]
    try PostgresPrograms.run(
      ["/bin/sh", "-c", "echo 'create role with_password' | \"$@\"", "sh"] + command.suffix(5), asServer: true
    )
  }

  /// The data directory that each server copies.
  static func template() throws -> String { try templateFolder.get() }

  private static let count = Mutex(0)

  /// Creates the folder of a server.
  static func newFolder() throws -> String {
    let number = count.withLock { number in
      number += 1
      return number
    }
    let path = try root.get() + "/\(number)"
    mkdir(path, 0o755)
    PostgresPrograms.handOver(path)
    return path
  }
}

/// Ports of 127.0.0.1.
enum LoopbackPort {
  /// A socket that listens on a free port of 127.0.0.1, and the port.
  static func listen() throws -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failure = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, size) | LibC.listen(descriptor, 64)
          | getsockname(descriptor, address, &size)
      }
    }
    guard failure == 0 else { throw PostgresPrograms.Failure(description: "no port of 127.0.0.1 is free") }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// A port that was free a moment ago.
  static func free() throws -> Int {
    let (descriptor, port) = try listen()
    close(descriptor)
    return port
  }
}
