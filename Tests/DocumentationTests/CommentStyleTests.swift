import Foundation
import TestSupport
import Testing

/// The documentation comments of what is public begin as those of other libraries do. `Scripts/check-language` checks their words.
struct CommentStyleTests {
  struct PublicComment: Sendable, CustomTestStringConvertible {
    let file: String
    let comment: DocumentationComment

    var testDescription: String { "\(file): \(comment.declaration)" }
    var beginning: Substring { comment.lines[0].prefix { $0 != " " } }
  }

  /// The comments without those of names with an underscore, which are not part of the API.
  static let all: [PublicComment] = SampleTests.sources.flatMap { file, text in
    DocumentationComment.all(in: text).compactMap { comment in
      let code = comment.declaration
      let isPublic = code.contains("public ") || code.contains("open ")
      let isHidden = [
        "func _", "var _", "let _", "(_rlm", "protocol _", "struct _", "class _", "typealias _",
      ]
      .occurs(in: code)
      return isPublic && !isHidden ? PublicComment(file: file, comment: comment) : nil
    }
  }

  @Test func functionsBeginWithAVerbInTheThirdPerson() {
    let functions = Self.all.filter {
      [" func ", " init(", " init?(", " init<"].occurs(in: $0.comment.declaration)
    }
    #expect(functions.count > 300)
    for function in functions {
      let isVerb = function.beginning.wholeMatch(of: /[A-Z][a-z]+s/) != nil
      #expect(isVerb, "\(function.testDescription) is described by '\(function.comment.lines[0])'")
    }
  }

  @Test func commentsStandAlone() {
    #expect(Self.all.count > 800)
    for comment in Self.all {
      let text = comment.comment.lines.joined(separator: " ")
      let beginsWithOthers = ["The same ", "That of ", "Those ", "And ", "What "].contains {
        text.hasPrefix($0)
      }
      #expect(!beginsWithOthers, "\(comment.testDescription)")
    }
  }
}

extension [String] {
  /// Whether one of the strings is in a text.
  fileprivate func occurs(in text: String) -> Bool { contains { text.contains($0) } }
}
