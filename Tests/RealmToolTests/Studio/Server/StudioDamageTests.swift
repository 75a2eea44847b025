#if !OWN_PAGES
  import Foundation
  import RealmSwift
  import TestSupport
  import Testing

  @testable import RealmTool

  /// Pages that are overwritten after the file was opened, and before they were verified.
  struct StudioDamageTests {
    /// Each kind of request has a session of its own, so that none profits from what another one has verified.
    @Test(arguments: [
      "GET object/StudioDog/15000", "GET object/StudioDog/15000/incoming", "GET storage",
      "GET view/N/find?key=15000", "GET view/N/find?row=15000", "GET view/N/rows?from=9000",
      "GET view/N/summary?property=1", "GET view/N/groups?by=2", "GET view/N/points?x=2&y=3",
      "GET object/StudioDog/15000/deletion", "POST batch", "POST paste", "POST paste/preview",
      "POST view",
    ]) func overwrittenPagesFailTheRequest(_ request: String) async throws {
      let studio = try await OverwrittenStudio()
      try studio.overwrite()
      let answer = try await studio.answer(request)
      #expect(answer.status == 500, "\(answer.text)")
      #expect(answer.message?.contains("damaged") == true, "\(answer.text)")
      #expect(try await studio.answer("GET nothing").status == 404)
    }
  }

  /// A session of a file with 20,000 dogs, and a view of all of them.
  private struct OverwrittenStudio {
    private let folder = ScratchFolder()
    private let studio: StudioFixture
    private let view: Int

    init() async throws {
      studio = try StudioFixture(path: try StudioFiles.dogs(20_000, in: folder), isWritable: true)
      let opened = await studio.answer(
        studio.head("POST", "/api/view", ["Content-Type": ["application/json"]]),
        body: #"{"class":"StudioDog"}"#)
      view = try JSON(opened.text)["view"].int
    }

    /// Overwrites everything but the first two pages, which are the headers, with zeros.
    func overwrite() throws {
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: studio.path))
      let size = try file.seekToEnd()
      try file.seek(toOffset: 8192)
      try file.write(contentsOf: Data(count: Int(size) - 8192))
      try file.close()
    }

    /// - Parameter request: Method and path after `/api/`; `N` stands for the view.
    func answer(_ request: String) async throws -> StudioAnswer {
      let parts = request.split(separator: " ").map { String($0) }
      let bodies = [
        "view": #"{"class":"StudioDog","filter":"id == 7000"}"#,
        "batch": #"{"label":"","operations":[{"op":"delete","class":"StudioDog","row":7000}]}"#,
        "paste": #"{"class":"StudioDog","text":"id\tname\n7000\tRex"}"#,
        "paste/preview": #"{"class":"StudioDog","text":"id\tname\n7000\tRex"}"#,
      ]
      let body = parts[0] == "POST" ? bodies[parts[1]] : nil
      return await studio.answer(
        studio.head(
          parts[0], "/api/" + parts[1].replacingOccurrences(of: "/N/", with: "/\(view)/"),
          body == nil ? [:] : ["Content-Type": ["application/json"]]), body: body ?? "")
    }
  }
#endif
