import Sync
import Testing

@Suite struct SQLTextTests {
  @Test func quotesWithinNamesAreDoubled() {
    #expect(SQLText.identifier("Dog") == "\"Dog\"")
    #expect(SQLText.identifier("a\"; drop table b; --") == "\"a\"\"; drop table b; --\"")
    // A combining character makes one `Character` of itself and the quote.
    #expect(
      Array(SQLText.identifier("a\"\u{301}").unicodeScalars) == Array("\"a\"\"\u{301}\"".unicodeScalars))
  }

  @Test func quotesAndBackslashesWithinLiteralsAreDoubled() {
    #expect(SQLText.literal("it's") == "'it''s'")
    #expect(SQLText.literal("\\x' or true") == "E'\\\\x'' or true'")
  }

  @Test func bodiesDoNotEndWithinThemselves() {
    #expect(SQLText.body("a") == "$realm$a$realm$")
    #expect(SQLText.body("a$realm$b$realm1$") == "$realm2$a$realm$b$realm1$$realm2$")
  }
}
