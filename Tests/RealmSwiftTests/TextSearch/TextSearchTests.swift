import RealmSwift
import TestSupport
import Testing

/// What was found in texts, to show it.
@Suite struct TextSearchTests {
  private static let text = "The black wolf lives in the Black Forest; a wolf, Wölfe, and one black dog."

  @Test(
    arguments: [
      ("wolf", ["wolf", "wolf"]), ("wol*", ["wolf", "wolf", "Wölfe"]),
      ("BLACK", ["black", "Black", "black"]),
      ("\"black forest\"", ["Black", "Forest"]), ("\"black forest\" dog", ["Black", "Forest", "dog"]),
      ("\"black wolf\" wolf", ["black", "wolf", "wolf"]), ("NEAR(dog one, 1)", ["one", "dog"]),
      ("NEAR(wolf dog, 3)", []), ("wolf -dog", ["wolf", "wolf"]), ("cat", []), ("", []),
      ("wolf cat", ["wolf", "wolf"]),
    ] as [(String, [String])])
  func ranges(search: String, expected: [String]) {
    #expect(TextSearch(search).ranges(in: Self.text).map { String(Self.text[$0]) } == expected)
  }

  @Test(
    arguments: [
      ("dog wolf", 3, "The black wolf…", ["wolf"]), ("dog black", 3, "…one black dog.", ["black", "dog"]),
      ("forest", 2, "…Black Forest…", ["Forest"]), ("cat", 4, "The black wolf lives…", []),
      ("wolf", 99, text, ["wolf", "wolf"]), ("wolfe", 0, "…Wölfe…", ["Wölfe"]),
    ] as [(String, Int, String, [String])])
  func snippets(search: String, wordCount: Int, expected: String, found: [String]) {
    let snippet = TextSearch(search).snippet(of: Self.text, wordCount: wordCount)
    #expect(snippet.text == expected)
    #expect(snippet.ranges.map { String(snippet.text[$0]) } == found)
  }

  @Test func matching() {
    #expect(TextSearch("\"black forest\"").matches(Self.text))
    #expect(!TextSearch("\"forest black\"").matches(Self.text))
    #expect(!TextSearch("").matches(Self.text))
    #expect(TextSearch("-cat").matches(""))
    #expect(TextSearch("wolf").description == "wolf")
  }

  @Test func emptyTexts() {
    #expect(TextSearch("wolf").ranges(in: "").isEmpty)
    #expect(TextSearch("wolf").snippet(of: "").text == "")
    #expect(TextSearch("wolf").snippet(of: " — ").text == " — ")
  }
}
