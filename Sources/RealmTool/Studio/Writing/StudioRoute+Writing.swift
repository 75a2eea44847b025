import RealmSwift
import Storage

extension StudioRoute {
  /// The routes that change the file, which exist only with `--write`. They share one history.
  static func writing(_ history: UndoHistory = UndoHistory()) -> [StudioRoute] {
    [
      StudioRoute(.post, "batch", bodyLimit: pasteBodyLimit) { request, session in
        let (label, operations) = try Operation.batch(request.document())
        return try await session.runWriting { .json(try history.write(operations, label, $0.numbered, $1)) }
      },
      StudioRoute(.post, "undo") { _, session in
        try await session.runWriting { .json(try history.reverse(.undo, $0.numbered, $1)) }
      },
      StudioRoute(.post, "redo") { _, session in
        try await session.runWriting { .json(try history.reverse(.redo, $0.numbered, $1)) }
      },
      StudioRoute(.post, "paste/preview", bodyLimit: pasteBodyLimit) { request, session in
        let paste = try PasteRequest(request.document())
        let text = try paste.parsed()
        let target = try await PasteTarget(paste, text, session)
        return try await session.runTrial { realm, lock in
          let paste = try Paste(paste, text, target, in: realm.realm.storedVersion)
          return .json(try paste.preview(realm, lock, undoLimit: history.sizeLimit))
        }
      },
      StudioRoute(.post, "paste", bodyLimit: pasteBodyLimit) { request, session in
        let paste = try PasteRequest(request.document())
        let text = try paste.parsed()
        return try await session.runWriting { .json(try history.paste(paste, text, $0, $1)) }
      },
      StudioRoute(.get, "object/*/*/deletion") { request, session in
        let (className, row) = (request.arguments[0], try request.number(1))
        return try await session.runTrial { .json(try DeletionPreview(className, row, $0, $1).json) }
      },
    ]
  }
}
