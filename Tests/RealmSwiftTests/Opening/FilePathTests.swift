import Foundation
import TestSupport
import Testing

@testable import RealmSwift

@Suite struct FilePathTests {
  @Test(arguments: [
    "/", "/a", "/a/", "/a//b", "//a", "/a/../b", "/a/./b", "/a b", "/a%b", "/a%20b", "/a?b", "/a#b", "/a;b",
    "/é",
    "a", "./a", "../a", "~", "~/a", "", "/a:b", "/a\\b", "/a\nb", "/a+b&c=d@e",
  ])
  func isThePath(_ path: String) {
    let base = URL(fileURLWithPath: "/base/folder", isDirectory: true)
    for url in [
      URL(fileURLWithPath: path), URL(fileURLWithPath: path, isDirectory: true),
      URL(fileURLWithPath: path, relativeTo: base), URL(fileURLWithPath: "/x").appendingPathComponent(path),
    ] {
      #expect(url.filePath == url.path)
    }
  }

  @Test(arguments: [
    "file:///a", "file:///a/", "file:///a%20b", "file://host/a", "file:///a?b", "file:///a#b", "file:/a",
    "file:a",
    "file://", "file:///", "FILE:///a", "http://host/a", "http:///a", "/a", "a", "?b", "file:///a;b",
    "file:///a//",
  ])
  func isThePathOfText(_ text: String) throws {
    let url = try #require(URL(string: text))
    #expect(url.filePath == url.path)
  }

  @Test(arguments: [91, 92] as [UInt64])
  func isThePathOfAnyText(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "/", "a", "b.realm", ".", "..", "%41", "%2F", "%", "?", "#", ";", ":", " ", "é", "~", "@", "//",
    ]
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0..<7, using: &random)).map { _ in pieces.randomElement(using: &random)!
      }
      .joined()
      let url = URL(fileURLWithPath: text)
      #expect(url.filePath == url.path)
      for beginning in ["file://", "file:///", "file:", ""] {
        guard let url = URL(string: beginning + text) else { continue }
        #expect(url.filePath == url.path, "\(beginning)\(text)")
      }
    }
  }
}
