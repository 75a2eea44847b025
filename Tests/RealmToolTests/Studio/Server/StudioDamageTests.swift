import Foundation
import RealmSwift
import TestSupport
import Testing

@testable import RealmTool

/// Pages that are overwritten after the file was opened, and before they were verified.
struct StudioDamageTests {
  /// Each kind of request has a session of its own, so that none profits from what another one has verified.
  @Test(arguments: ["object/StudioDog/15000", "storage"])
  func overwrittenPagesFailTheRequest(_ target: String) async throws {
    let folder = ScratchFolder()
    let studio = try StudioFixture(path: try StudioFiles.dogs(20_000, in: folder))
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: studio.path))
    let size = try file.seekToEnd()
    // The first two pages are the headers.
    try file.seek(toOffset: 8192)
    try file.write(contentsOf: Data(count: Int(size) - 8192))
    try file.close()
    let answer = await studio.answer(studio.head("GET", "/api/" + target))
    #expect(answer.status == 500)
    #expect(answer.message?.contains("is damaged") == true)
    #expect(await studio.answer(studio.head("GET", "/")).status == 200)
  }
}
