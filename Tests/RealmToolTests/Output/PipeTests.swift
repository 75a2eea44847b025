import Foundation
import TestSupport
import Testing

struct PipeTests {
  /// Who reads no further ends the tool, silently.
  @Test func theReaderGoes() throws {
    let outcome = try RealmProgram.shell(
      "set -o pipefail; realm query '\(World.path)' City | head -n 1 | cut -c 1-13; echo ${PIPESTATUS[0]}")
    #expect(outcome.output == "{\"id\":3040051\n\(128 + SIGPIPE)\n")
    #expect(outcome.error == "")
  }

  @Test func theOutputIsFull() throws {
    let outcome = try RealmProgram.shell("realm query '\(World.path)' City > /dev/full")
    #expect(
      outcome
        == .init(status: 3, error: "realm: Failed to write to the standard output: No space left on device\n")
    )
  }
}
