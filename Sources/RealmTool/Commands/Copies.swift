import Foundation
import RealmSwift

// Commands that make a whole file of another one.
extension Command {
  private static let operandsOfCopy = [
    Operand(.file("FILE"), "the Realm file"), Operand(.file("NEW"), "the file to be made"),
  ]

  static let copy = Command(
    name: "copy", summary: "copy one version of a file that others may be writing to",
    discussion: """
      The copy has no unused space, and is there when it is whole and on the disk. It has the permissions of the file, and \
      its key, if that has one, unless --new-key-file says otherwise.
      """,
    operands: operandsOfCopy, options: [.keyFile, .newKeyFile],
    examples: [
      Example("realm copy world.realm backup.realm", "a backup while programs go on"),
      Example("realm copy a.realm b.realm --key-file a.key --new-key-file b.key", "a copy with another key"),
    ]
  ) { arguments, console in
    let key = try KeyFile.read(.keyFile, arguments)
    return try writeCopy(arguments, console, key, KeyFile.readNew(arguments, keeping: key))
  }

  static let encrypt = Command(
    name: "encrypt", summary: "write an encrypted copy of a file",
    discussion:
      "The old file stays as it is: remove it when nobody needs it any more. A key is made by: openssl rand 64 > KEYFILE",
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
    discussion: "The old file stays as it is.",
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
    name: "salvage", summary: "bring what is sound in a damaged file to a new one",
    discussion: """
      The damaged file is not changed. Values that are lost are zero, empty or null in the \
      new file. A class whose objects have lost their primary keys has none there: realm set writes them anew, and realm import \
      with --key-property or --schema makes a key of them again. What was damaged is told, and the exit status is 1 when anything was. A \
      damaged file of the official Realm SDK is brought to a new file of this library, class by class, without what is damaged; no \
      program may write to that one meanwhile.
      """,
    operands: operandsOfCopy, options: [.keyFile],
    examples: [Example("realm salvage damaged.realm rescued.realm", "what is sound goes to rescued.realm")]
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
    try console.print("Salvaged '\(path)' to '\(new)': \(Numbers.count(found.faults.count, "fault")).")
    for fault in found.faults { try console.print("- \(fault)") }
    return found.isSound ? .success : .nothingFound
  }

  static let compact = Command(
    name: "compact", summary: "rewrite a file without its unused space",
    discussion: """
      The new file takes the place of the old one when it is whole; until then the disk needs space for both. Nobody may have \
      the file open: the exit status is 3 when somebody has.
      """,
    operands: [Operand(.file("FILE"), "the Realm file")], options: [.keyFile],
    examples: [Example("realm compact world.realm", "says how large it was and is")]
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
        "'\(path)' is in use and stays as it is: end the programs that have it open, or write a compact copy with realm copy."
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
