import LibC

/// Opens the page in the user's browser.
///
/// All users of a machine can read the arguments of its processes, and the link has the token. So the browser is given a file
/// that only this user can read, and the file sends the browser to the link. As the browser takes the file for a page of
/// another site, the link in the file has a pass that the server accepts once (see `StudioGate.makePass`).
enum StudioBrowser {
  /// The program that opens files, nil when there is none or no display.
  static var program: String? {
    let displays = ["DISPLAY", "WAYLAND_DISPLAY"].compactMap(Terminal.environment)
    if displays.allSatisfy(\.isEmpty) { return nil }
    let folders = (Terminal.environment("PATH") ?? "/usr/bin").split(separator: ":")
    return folders.map { "\($0)/xdg-open" }.first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
  }

  /// Writes the file and opens it.
  ///
  /// - Parameter link: The link of the page without a fragment, ending in a slash.
  /// - Throws: `ToolError`.
  static func open(_ link: String, _ gate: StudioGate, with program: String) throws {
    let target = "\(link)\(StudioGate.passPrefix.dropFirst())\(gate.makePass().text)#\(gate.token.text)"
    let path = try writePrivately(
      "<!doctype html><meta charset=\"utf-8\"><title>Studio</title>"
        + "<meta http-equiv=\"refresh\" content=\"0;url=\(target)\">\n")
    try start(program, path)
  }

  /// Writes a file that other users cannot read and that is removed when the tool ends. Returns its path.
  private static func writePrivately(_ text: String) throws -> String {
    let folder = Terminal.environment("XDG_RUNTIME_DIR") ?? Terminal.environment("TMPDIR") ?? "/tmp"
    let path = "\(folder)/realm-studio-\(StudioToken().text.prefix(16)).html"
    let descriptor = openBesidesStandard(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw ToolError("Failed to write to '\(folder)': \(String(cString: strerror(errno)))")
    }
    UnfinishedOutput.add(path)
    let output = OutputStream(descriptor, name: "'\(path)'")
    defer { close(descriptor) }
    try output.write(text)
    try output.flush()
    return path
  }

  private static func start(_ program: String, _ path: String) throws {
    var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // What the browser says is no output of the tool.
    for number in 0...2 { posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0) }
    // Ctrl-C ends the tool and not the browser.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup(path), nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    let code = posix_spawn(&process, program, &actions, &attributes, &arguments, environ)
    if code != 0 { throw ToolError("Failed to start the browser: \(String(cString: strerror(code)))") }
  }
}
