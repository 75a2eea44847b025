import Dispatch
import LibC

extension Command {
  private static let writes = CommandOption(
    "--write", nil, "allow the page to change objects, and to compact the file")
  private static let port = CommandOption(
    "--port", .number("PORT"), "listen on this port instead of a free one")
  private static let noBrowser = CommandOption("--no-browser", nil, "print the link only")
  private static let page = CommandOption(
    "--page", .folder("FOLDER"), "serve the files of the page from this folder, to develop them")
  private static let host = CommandOption(
    "--host", .text("ADDRESS"),
    "listen on this address of a network instead of the loopback address; needs --token-file")
  private static let tokenFile = CommandOption(
    "--token-file", .file("TOKENFILE"),
    "use the token in this file, which is created when it is not there, instead of a new one")

  static let studio = Command(
    name: "studio", summary: "show a file in the browser: browse, query, follow and edit its objects",
    discussion: """
      Serves a page on the loopback address, prints its link on the standard output, and opens the link in the browser when there is a \
      display. Runs until Ctrl-C. The page follows what other programs write, and changes nothing without --write.

      The link has a token, without which the server answers nothing about the file: keep it to yourself. It is new at each start, unless \
      --token-file names one. With --host, other machines can reach the server, and what is sent can be read on the way: use an SSH tunnel \
      instead where you can, as in ssh -L 8080:127.0.0.1:8080 MACHINE.

      A file of the official Realm SDK is converted to a copy after a question at the terminal, and the copy is opened.
      """,
    operands: [Operand(.file("FILE"), "the Realm file")],
    options: [writes, port, noBrowser, .keyFile, page, host, tokenFile],
    examples: [
      Example("realm studio world.realm", "a file to look into, also while programs write to it"),
      Example("realm studio world.realm --write", "a file to edit"),
      Example("realm studio world.realm --no-browser --port 8080", "on a machine without a display"),
    ]
  ) { arguments, console in
    let address = arguments[host]
    if address != nil && !arguments.has(tokenFile) {
      throw UsageError("--host needs --token-file: it names the file with the token that other machines use.")
    }
    let number = arguments.number(port) ?? 0
    if number > 65_535 { throw UsageError("--port: \(number) is more than 65535.") }
    let session = try openSession(arguments, console)
    let token = try arguments[tokenFile].map(StudioTokenFile.token) ?? StudioToken()
    let files = try arguments[page].map { try StudioPageFiles(folder: $0) } ?? StudioPageFiles()
    let listener = try StudioListener(address: address ?? StudioListener.loopback, port: number)
    let gate = StudioGate(port: listener.port, address: address, token: token)
    let router = StudioRouter(
      gate: gate, page: files, routes: StudioRoute.all(isWritable: session.isWritable), session: session)
    let isEnding = DispatchSemaphore(value: 0)
    UnfinishedOutput.endInOrder { isEnding.signal() }
    let server = try StudioServer(router, listener: listener.socket)
    defer { server.stop() }
    try announce(gate, address, session, arguments, console)
    isEnding.wait()
    return .success
  }

  /// Opens the file, or a copy of a file of the official SDK.
  private static func openSession(_ arguments: Arguments, _ console: Console) throws -> StudioSession {
    let path = arguments.operands[0]
    let key = try KeyFile.read(.keyFile, arguments)
    func open(_ path: String) throws -> StudioSession {
      try StudioSession(path: path, key: key, isWritable: arguments.has(writes))
    }
    do {
      return try open(path)
    } catch {
      guard let copy = try OfficialFileOffer.copy(of: path, key: key, console) else { throw error }
      return try open(copy)
    }
  }

  /// Prints the link, and opens it.
  private static func announce(
    _ gate: StudioGate, _ address: String?, _ session: StudioSession, _ arguments: Arguments,
    _ console: Console
  ) throws {
    let link = "http://\(address == nil ? gate.hosts[0] : gate.hosts[2])/"
    try console.print("\(link)#\(gate.token.text)")
    try console.output.flush()
    if let address {
      console.note(
        "Warning: every machine that reaches \(address) can connect, and what is sent is not encrypted. A program that has the token can \(session.isWritable ? "read and change" : "read") the file."
      )
    }
    console.note(
      "Showing '\(session.path)'\(session.isWritable ? ", which can be changed" : ""). Ctrl-C ends it.",
      faint: true)
    guard !arguments.has(noBrowser), let program = StudioBrowser.program else { return }
    do {
      try StudioBrowser.open(link, gate, with: program)
    } catch let error as ToolError {
      console.note("\(error.message)\nOpen the link above in a browser.")
    }
  }
}
