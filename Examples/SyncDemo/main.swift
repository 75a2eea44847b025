// Two people with a realm file each, which a PostgreSQL database keeps in step. `make demo-sync` starts the first one, and
// `make demo-sync-second` the second one in another terminal.
//
// Arguments: a name, and the folder of the files; or --make, and a file with the classes and nothing else.

import Foundation
import RealmSync

guard CommandLine.arguments.count == 3 else {
  say("usage: SyncDemo NAME FOLDER | SyncDemo --make FILE")
  exit(64)
}

let folder = URL(fileURLWithPath: CommandLine.arguments[2])
do {
  if CommandLine.arguments[1] == "--make" {
    _ = try await Realm.open(configuration: Realm.Configuration(fileURL: folder, objectTypes: [Dog.self]))
    exit(0)
  }
  let kennel = try await Kennel(CommandLine.arguments[1], folder: folder)
  await kennel.begin()
  say(Command.help)
  for await line in typedLines() {
    guard let command = Command(line) else {
      say(Command.help)
      continue
    }
    if try await kennel.perform(command) == false { break }
  }
} catch {
  say(error.localizedDescription)
  exit(1)
}
