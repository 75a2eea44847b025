import Foundation
import Testing

@testable import RealmSwift

/// A realm in a file of its own, which is removed at the end.
final class ScratchRealm {
  let folder: URL
  let configuration: Realm.Configuration
  let realm: Realm

  init(_ types: [ObjectBase.Type], sourceLocation: SourceLocation = #_sourceLocation) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "scratch-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    configuration = Realm.Configuration(fileURL: folder.appending(path: "scratch.realm"), objectTypes: types)
    realm = try Realm(configuration: configuration)
  }

  deinit {
    ScratchFolders.remove(folder)
  }
}

/// What a process that was expected to stop wrote.
func message(of result: ExitTest.Result?) -> String {
  String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
}
