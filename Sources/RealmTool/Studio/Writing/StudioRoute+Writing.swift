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
        return try await session.runWriting { .json(try history.preview(paste, $0, $1)) }
      },
      StudioRoute(.post, "paste", bodyLimit: pasteBodyLimit) { request, session in
        let paste = try PasteRequest(request.document())
        return try await session.runWriting { .json(try history.paste(paste, $0, $1)) }
      },
      StudioRoute(.get, "object/*/*/deletion") { request, session in
        let (className, row) = (request.arguments[0], try request.number(1))
        return try await session.runWriting {
          .json(try DeletionPreview(className, row, $0.numbered, $1).json)
        }
      },
    ]
  }
}
