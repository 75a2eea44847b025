import Foundation
import TestSupport
import Testing

@testable import RealmTool

/// Classes with more properties than a line of the terminal has space for are shown as records.
struct RecordViewTests {
  private let folder = ScratchFolder()

  private func show(_ line: String, width: UInt16) throws -> [String] {
    let session = try TerminalSession(line, width: width, environment: ["NO_COLOR": "1"])
    #expect(session.end() == 0)
    return session.output.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
  }

  private func wide() throws -> String {
    let path = folder.path("wide.realm")
    let members = (1...13).map { "\"field_number_\($0)\":\"value \($0) of many\"" }.joined(separator: ",")
    let outcome = try RealmProgram.run(
      "import", path, "-", "--class", "Wide", "--format", "jsonl", input: "{\(members)}\n{\(members)}\n")
    #expect(outcome.status == 0)
    return path
  }

  @Test(arguments: [20, 40, 80] as [UInt16]) func wideClassesAreShownAsRecords(width: UInt16) throws {
    let lines = try show("realm query '\(wide())' Wide", width: width)
    #expect(lines.count == 2 * 14 + 1 && lines.last == "2 objects")
    #expect(lines[0].hasPrefix("- 1 ---") && lines[14].hasPrefix("- 2 ---"))
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= Int(width) })
    if width >= 40 {
      #expect(lines[1].hasPrefix("field_number_1 ") && lines[13].hasPrefix("field_number_13 "), "\(lines)")
    }
    if width == 80 { #expect(lines[13] == "field_number_13  value 13 of many") }
  }

  @Test func whatFitsIsATable() throws {
    let path = try wide()
    let lines = try show("realm query '\(path)' Wide", width: 300)
    #expect(lines.count == 4 && lines[0].hasPrefix("field_number_1   field_number_2"), "\(lines)")
    // Narrow columns fit, however many there are.
    let narrow = folder.path("narrow.realm")
    let members = (1...13).map { "\"p\($0)\":\($0)" }.joined(separator: ",")
    #expect(
      try RealmProgram.run(
        "import", narrow, "-", "--class", "Narrow", "--format", "jsonl", input: "{\(members)}"
      ).status == 0)
    #expect(try show("realm query '\(narrow)' Narrow", width: 80).count == 3)
    // Elsewhere than at a terminal lines have any length.
    let piped = try show("realm query '\(path)' Wide --format table | cat", width: 80)
    #expect(piped.count == 3)
  }
}
