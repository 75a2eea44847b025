import Foundation
import RealmSwift

// Commands that write a new file from another one.
extension Command {
  private static let operandsOfCopy = [
    Operand(.file("FILE"), "the Realm file"), Operand(.file("NEW"), "the new file, which must not exist"),
  ]

  static let copy = Command(
    name: "copy", summary: "back up one version of a file while other processes read and write it",
    discussion: """
      The copy is compact, and gets its name when it is complete and durable (fsync). It has the permissions and the encryption key of the \
      file, unless --new-key-file names another key or none.
      """,
    operands: operandsOfCopy, options: [.keyFile, .newKeyFile],
    examples: [
      Example("realm copy world.realm backup.realm", "a backup while programs use the file"),
      Example("realm copy a.realm b.realm --key-file a.key --new-key-file b.key", "a copy with another key"),
    ]
  ) { arguments, console in
    let key = try KeyFile.read(.keyFile, arguments)
    return try writeCopy(arguments, console, key, KeyFile.readNew(arguments, keeping: key))
  }

  static let encrypt = Command(
    name: "encrypt", summary: "write an encrypted copy of a file",
    discussion:
      "The old file is not changed: delete it when no program needs it any more. This creates a key: openssl rand 64 > KEYFILE",
    operands: operandsOfCopy,
    options: [
      CommandOption("--key-file", .file("KEYFILE"), "the key of the new file; - asks for it on the terminal")
    ],
    examples: [
      Example("realm encrypt world.realm secret.realm --key-file key", "secret.realm opens with the key only")
    ]
  ) { arguments, console in
    guard let key = try KeyFile.read(.keyFile, arguments, isNew: true) else {
      throw UsageError("--key-file is missing: it names the file with the key, or is - to be asked for it.")
    }
    return try writeCopy(arguments, console, nil, key)
  }

  static let decrypt = Command(
    name: "decrypt", summary: "write a copy of an encrypted file that is not encrypted",
    discussion: "The old file is not changed.",
    operands: operandsOfCopy, options: [.keyFile],
    examples: [
      Example("realm decrypt secret.realm world.realm --key-file key", "world.realm opens without a key")
    ]
  ) { arguments, console in
    guard let key = try KeyFile.read(.keyFile, arguments) else {
      throw UsageError("--key-file is missing: it names the file with the key, or is - to be asked for it.")
    }
    return try writeCopy(arguments, console, key, nil)
  }

  private static func writeCopy(
    _ arguments: Arguments, _ console: Console, _ key: [UInt8]?, _ newKey: [UInt8]?
  ) throws -> ExitStatus {
    let (path, new) = (arguments.operands[0], arguments.operands[1])
    let file = try RealmFile(path: path, key: key)
    try RealmFile.making(new) {
      try Progress.following("Copying") {
        try file.realm.writeCopy(toFile: URL(fileURLWithPath: new), encryptionKey: newKey.map { Data($0) })
      }
    }
    let count = file.classes.reduce(0) { $0 + $1.count }
    try console.print("Copied \(Numbers.count(count, "object")) to '\(new)'.")
    return .success
  }

  static let salvage = Command(
    name: "salvage", summary: "copy what is sound in a damaged file to a new file",
    discussion: """
      The damaged file is not changed. Lost values are zero, empty or null in the new file. A class whose objects have lost their primary \
      keys has no primary key there: set the values with realm set, then export the class and import it with --key-property or --schema. \
      Prints the number of copied objects and the faults, equal ones of a class in one line. The exit status is 1 when there are faults.

      A damaged file of the official Realm SDK is converted, class by class, without what is damaged; no program may write to it at the same \
      time.
      """,
    operands: operandsOfCopy, options: [.keyFile],
    examples: [Example("realm salvage damaged.realm rescued.realm", "a new file with the sound objects")]
  ) { arguments, console in
    let (path, new) = (arguments.operands[0], arguments.operands[1])
    let bytes = try KeyFile.read(.keyFile, arguments)
    if OfficialSalvage.isNeeded(path, key: bytes) {
      return try OfficialSalvage.run(from: path, key: bytes, to: new, console)
    }
    let key = bytes.map { Data($0) }
    let found = try RealmFile.explaining(path) {
      try RealmFile.making(new) {
        try Progress.following("Salvaging") {
          try Realm.salvage(
            from: URL(fileURLWithPath: path), to: URL(fileURLWithPath: new), encryptionKey: key)
        }
      }
    }
    let file = try RealmFile(path: new, key: bytes)
    let objects = Numbers.count(file.classes.reduce(0) { $0 + $1.count }, "object")
    try console.print(
      "Salvaged \(objects) of '\(path)' to '\(new)': \(Numbers.count(found.faults.count, "fault")).")
    for line in FaultLines(found.faults).lines { try console.print("- \(line)") }
    return found.isSound ? .success : .nothingFound
  }

  static let compact = Command(
    name: "compact", summary: "rewrite a file in place without unused space",
    discussion: """
      The new file replaces the old one when it is complete; until then the disk needs space for both. No process may have the file open: \
      the exit status is 3 when one has.
      """,
    operands: [Operand(.file("FILE"), "the Realm file")], options: [.keyFile],
    examples: [Example("realm compact world.realm", "prints the size before and after")]
  ) { arguments, console in
    let path = arguments.operands[0]
    let key = try KeyFile.read(.keyFile, arguments).map { Data($0) }
    let before = try size(path)
    let isDone = try RealmFile.explaining(path) {
      try Progress.following("Compacting") {
        try Realm.compact(at: URL(fileURLWithPath: path), encryptionKey: key)
      }
    }
    guard isDone else {
      throw ToolError(
        "'\(path)' is open in another process and was not changed: end the programs that have it open, or write a compact copy with realm copy."
      )
    }
    try console.print(
      "Compacted '\(path)' from \(Numbers.bytes(before)) to \(Numbers.bytes(try size(path))).")
    return .success
  }

  private static func size(_ path: String) throws -> Int {
    var information = stat()
    guard stat(path, &information) == 0 else { throw ToolError("There is no file at '\(path)'.") }
    return Int(information.st_size)
  }
}
