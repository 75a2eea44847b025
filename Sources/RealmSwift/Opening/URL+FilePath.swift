import Foundation

extension URL {
  /// The path of a file URL, faster than `path`, whose first call in a process makes a set, for which the runtime looks through the conformances of
  /// all libraries (see `NumberTable`). Where nothing is encoded or relative, the path is a part of the text.
  var filePath: String {
    let text = absoluteString
    let beginning = "file://"
    guard baseURL == nil, text.hasPrefix(beginning + "/"),
      !text.utf8.contains(where: { "%?#;".utf8.contains($0) })
    else { return path }
    return text.hasSuffix("/") ? path : String(text.dropFirst(beginning.count))
  }
}
