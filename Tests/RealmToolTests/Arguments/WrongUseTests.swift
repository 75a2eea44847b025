import Foundation
import TestSupport
import Testing

/// Each class of mistake is told with what to do about it, and ends with status 2, before anything was changed.
struct WrongUseTests {
  private static let mistakes: [([String], String)] = [
    (["quer"], "realm: there is no command 'quer'. Did you mean 'query'?"),
    (["frobnicate"], "realm: there is no command 'frobnicate'."),
    (["help", "frobnicate"], "realm: there is no command 'frobnicate'."),
    (["query"], "realm: FILE is missing."),
    (["query", "F"], "realm: CLASS is missing."),
    (
      ["query", "F", "Country", "a > 1", "b"],
      "realm: 'b' is one argument too many: quote the whole predicate, as in \"a > 1 b\"."
    ),
    (
      ["query", "F", "Country", "code", "==", "NO"],
      "realm: '==' is one argument too many: quote the whole predicate, as in \"code == NO\"."
    ),
    (
      ["watch", "F", "Country", "name", "CONTAINS", "\"or\""],
      "realm: 'CONTAINS' is one argument too many: quote the whole predicate, as in 'name CONTAINS \"or\"'."
    ),
    (
      ["delete", "F", "Country", "--where", "code", "==", "NO"],
      "realm: 'NO' is one argument too many: quote the whole predicate, as in \"code == NO\"."
    ),
    (
      ["aggregate", "F", "Country", "--where", "code", "!=", "NO"],
      "realm: '!=' is one argument too many: quote the whole predicate, as in \"code != NO\"."
    ),
    (
      ["set", "F", "Country", "--where", "code", "==", "NO", "name=x"],
      "realm: '==' is not an assignment: quote the whole predicate, as in \"code == NO\"."
    ),
    (
      ["aggregate", "F", "Country", "population > 5"],
      "realm: 'population > 5' is one argument too many: if it belongs to the one before, quote both; a predicate follows --where."
    ),
    (
      ["schema", "F", "b"],
      "realm: 'b' is one argument too many: if it belongs to the one before, quote both."
    ),
    (["info", "F", "--key", "k"], "realm: realm info has no option '--key'. Did you mean '--key-file'?"),
    (
      ["import", "F", "c.csv", "--key=k"],
      "realm: realm import has no option '--key'. Did you mean '--key-file'?"
    ),
    (
      ["query", "F", "Country", "--sorted", "x"],
      "realm: realm query has no option '--sorted'. Did you mean '--sort'?"
    ),
    (["query", "F", "Country", "--limit"], "realm: --limit needs a value: --limit N."),
    (["query", "F", "Country", "--limit", "-1"], "realm: --limit: '-1' is not a number of 0 or more."),
    (["query", "F", "Country", "--limit=many"], "realm: --limit: 'many' is not a number of 0 or more."),
    (
      ["query", "F", "Country", "--format", "xml"],
      "realm: --format: 'xml' is none of table, json, jsonl, csv."
    ),
    (["query", "F", "Country", "--count=3"], "realm: --count takes no value."),
    (["query", "F", "Contry"], "realm: 'F' has no class 'Contry'. Did you mean 'Country'? It has Country."),
    (
      ["query", "F", "Country", "popul > 3"],
      "realm: Invalid keypath 'popul': Property 'popul' not found in object of type 'Country'. Did you mean 'population'? Class 'Country' has code, name, population, area, neighbours, since."
    ),
    (
      ["delete", "F", "Country", "--where", "nme == 'x'"],
      "realm: Invalid keypath 'nme': Property 'nme' not found in object of type 'Country'. Did you mean 'name'? Class 'Country' has code, name, population, area, neighbours, since."
    ),
    (
      ["query", "F", "Country", "name == Norway"],
      "realm: Invalid keypath 'Norway': Property 'Norway' not found in object of type 'Country'. If 'Norway' is meant as text, put it in quotes within the predicate: 'Norway'."
    ),
    (["query", "F", "Country", "name =="], "realm: "),
    (["query", "F", "Country", "population == 'x'"], "realm: "),
    (
      ["query", "F", "Country", "--sort", "popul"],
      "realm: Cannot sort on key path 'popul': property 'Country.popul' does not exist. Did you mean 'population'? Class 'Country' has code, name, population, area, neighbours, since."
    ),
    (
      ["aggregate", "F", "Country", "--group-by", "nme"],
      "realm: --group-by: Cannot group by key path 'nme': property 'Country.nme' does not exist. Did you mean 'name'? Class 'Country' has code, name, population, area, neighbours, since."
    ),
    (
      ["aggregate", "F", "Country", "--sum", "popul"],
      "realm: --sum: class 'Country' has no property 'popul'. Did you mean 'population'? It has code, name, population, area, neighbours, since."
    ),
    (
      ["aggregate", "F", "Country", "--average", "since"],
      "realm: --average: 'Country.since' is of type date: it needs a property of type int, float, double, decimal128, mixed."
    ),
    (
      ["aggregate", "F", "Country", "--min", "neighbours"],
      "realm: --min: 'Country.neighbours' is of type list of string: it needs a property of type int, float, double, decimal128, mixed, date."
    ),
    (
      ["query", "F", "Country", "--properties", "nam"],
      "realm: class 'Country' has no property 'nam'. Did you mean 'name'? It has code, name, population, area, neighbours, since."
    ),
    (
      ["query", "F", "Country", "--properties", "name.x"],
      "realm: 'name.x' goes through 'Country.name', which is string and not a link to one object."
    ),
    (["schema", "F", "--swift", "--json"], "realm: --swift and --json exclude each other."),
    (
      ["export", "F", "--format", "sqlite"], "realm: --format sqlite needs --to and the name of the database."
    ),
    (
      ["encrypt", "F", "NEW"],
      "realm: --key-file is missing: it names the file with the key, or is - to be asked for it."
    ),
    (["create", "F", "Country", "code"], "realm: 'code' is not an assignment: it needs NAME=VALUE."),
    (
      ["create", "F", "Country", "code:=["], "realm: The value of 'code' is not JSON: it ends within a value."
    ),
    (["create", "F", "Country", "name=X"], "realm: the primary key 'code' of class 'Country' is missing."),
    (["create", "F", "Country", "code=XX", "code=YY"], "realm: 'code' is given twice."),
    (
      ["import", "F", "-", "-", "--class", "C", "--format", "csv"],
      "realm: - is given twice: the standard input can be read once only."
    ),
    (
      ["create", "F", "Country", "code=XX", "name=X"],
      "realm: property 'population' of class 'Country' is missing, and cannot be null."
    ),
    (
      ["set", "F", "Country", "NO", "population=many"],
      "realm: property 'population' of class 'Country' is of type int: 'many' is not valid."
    ),
    (
      ["set", "F", "Country", "NO", "nme=X"],
      "realm: class 'Country' has no property 'nme'. Did you mean 'name'? It has code, name, population, area, neighbours, since."
    ),
    (
      ["set", "F", "Country", "NO", "code=N2"],
      "realm: 'code' is the primary key, which never changes: create another object instead."
    ),
    (["set", "F", "Country", "NO"], "realm: NAME=VALUE is missing."),
    (
      ["set", "F", "Country", "population=5"],
      "realm: KEY is missing: name one object by its primary key, or all that match with --where PREDICATE."
    ),
    (
      ["delete", "F", "Country"],
      "realm: KEY is missing: name one object by its primary key, or all that match with --where PREDICATE."
    ),
    (
      ["delete", "F", "Country", "NO"],
      "realm: Delete the Country NO? There is no terminal to ask for confirmation: add --yes to confirm."
    ),
    (
      ["delete", "F", "Country", "NO", "--where", "TRUEPREDICATE"],
      "realm: KEY and --where exclude each other."
    ),
    (
      ["import", "F", "source.xml"],
      "realm: 'source.xml': its name does not end in a known format: add --format json, jsonl or csv."
    ),
    (
      ["import", "F", "-", "--format", "csv"],
      "realm: --class is missing: it names the class of the objects in the standard input."
    ),
    (["--completion", "fish"], "realm: --completion needs the name of a shell: bash or zsh."),
  ]

  @Test func eachMistakeIsTold() throws {
    let folder = ScratchFolder()
    let path = try World.small(in: folder)
    for (words, message) in Self.mistakes {
      let outcome = try RealmProgram.run(words.map { $0 == "F" ? path : $0 })
      #expect(outcome.status == 2, "\(words)")
      #expect(outcome.output == "", "\(words)")
      let expected = message.replacing("'F'", with: "'\(path)'")
      let first = outcome.error.split(separator: "\n").first.map(String.init) ?? ""
      #expect(
        message.hasSuffix(".") || message.hasSuffix("?") ? first == expected : first.hasPrefix(expected),
        "\(words)")
      #expect(outcome.error.contains("--help describes the arguments."), "\(words)")
    }
    #expect(try RealmProgram.run("query", path, "Country", "--count").output == "3\n")
  }

  @Test func withoutAnythingThereIsHelp() throws {
    let outcome = try RealmProgram.run([])
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("usage: realm COMMAND"))
    #expect(try RealmProgram.run("--help").status == 0)
    #expect(try RealmProgram.run("help", "query").output == RealmProgram.run("query", "--help").output)
  }

  @Test func whatIsWrongWithAFileIsTold() throws {
    let folder = ScratchFolder()
    let text = folder.path("text.realm")
    try String(repeating: "no realm at all\n", count: 1000).write(
      toFile: text, atomically: true, encoding: .utf8)
    let empty = folder.path("empty.realm")
    try Data().write(to: URL(fileURLWithPath: empty))
    let official = World.official("types-small")
    for (path, message) in [
      (folder.path("none.realm"), "There is no file at '\(folder.path("none.realm"))'."),
      (text, "not a Realm file"), (empty, "The file at '\(empty)' is empty."),
      (official, "realm convert '\(official)' NEW"),
      (World.official("encrypted-small"), "--key-file KEYFILE"), (folder.url.path, "directory"),
    ] {
      for command in [
        ["info", path], ["query", path, "A"], ["verify", path], ["set", path, "A", "1", "b=2"],
      ] {
        let outcome = try RealmProgram.run(command)
        #expect(outcome.status == 3, "\(command)")
        #expect(
          outcome.error.contains(message) || command[0] == "verify" && path == folder.url.path,
          "\(command): \(outcome.error)")
      }
    }
  }
}
