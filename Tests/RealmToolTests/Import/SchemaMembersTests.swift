import Foundation
import TestSupport
import Testing

/// What a schema says that means nothing is not taken for left out.
struct SchemaMembersTests {
  @Test(arguments: [
    (#"{"schemaVersion":-1,"classes":[]}"#, "the schemaVersion -1 is not a number of 0 or more."),
    (#"{"schemaVersion":"1","classes":[]}"#, "the schemaVersion '1' is not a number of 0 or more."),
    (
      #"{"shemaVersion":1,"classes":[]}"#,
      "the member 'shemaVersion' means nothing there, did you mean 'schemaVersion'?"
    ),
    (
      #"{"classes":[{"name":"C","embeded":true,"properties":[]}]}"#,
      "class 'C': the member 'embeded' means nothing there, did you mean 'embedded'?"
    ),
    (
      #"{"classes":[{"name":"C","embedded":1,"properties":[]}]}"#,
      "class 'C': the member 'embedded' is 1, and neither true nor false."
    ),
    (
      #"{"classes":[{"name":"C","properties":[{"name":"a","type":"int","primarykey":true}]}]}"#,
      "class 'C': property 'a': the member 'primarykey' means nothing there, did you mean 'primaryKey'?"
    ),
    (
      #"{"classes":[{"name":"C","properties":[{"name":"a","type":"int","optional":"yes"}]}]}"#,
      "class 'C': property 'a': the member 'optional' is 'yes', and neither true nor false."
    ),
  ]) func whatMeansNothing(schema: String, message: String) throws {
    let folder = ScratchFolder()
    let file = folder.path("schema.json")
    try schema.write(toFile: file, atomically: true, encoding: .utf8)
    let outcome = try RealmProgram.run(
      "import", folder.path("new.realm"), "-", "--class", "C", "--format", "jsonl", "--schema", file,
      input: "{\"a\":1}")
    #expect(
      outcome
        == .init(
          status: 3,
          error:
            "realm: '\(file)' is no schema: \(message) realm schema FILE --json writes one to begin with.\n"
        ))
  }
}
