public import COpenRealm
import RealmSwift
import Storage

// errors.h: the last error, reference counts and the library itself.

@c @implementation public func openrealm_last_error(_ error: UnsafeMutablePointer<openrealm_error>?) -> Int32
{
  let last = LastError.current ?? openrealm_error(code: 0, message: emptyText, path: nil, position: -1)
  error?.pointee = last
  return last.code
}

@c @implementation public func openrealm_retain(
  _ handle: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
  guard let handle, isHandle(handle) else { return nil }
  _ = Unmanaged<Handle>.fromOpaque(handle).retain()
  return handle
}

@c @implementation public func openrealm_release(_ handle: UnsafeMutableRawPointer?) {
  guard let handle, isHandle(handle) else { return }
  Unmanaged<Handle>.fromOpaque(handle).release()
}

@c @implementation public func openrealm_version() -> UnsafePointer<CChar>? { versionText }

@c @implementation public func openrealm_set_fatal_handler(
  _ handler: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void)?,
  _ context: UnsafeMutableRawPointer?
) {
  guard let handler else { return FatalHandler.set(nil) }
  let context = CallbackContext(context, nil)
  FatalHandler.set { message in message.withCString { handler(context.pointer, $0) } }
}

@c @implementation public func openrealm_set_logger(
  _ level: Int32,
  _ logger: (@convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?) -> Void)?,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  code { () throws(Refusal) in
    guard let known = UInt(exactly: level).flatMap({ LogLevel(rawValue: $0) }), known <= .debug else {
      throw Refusal(.badArgument, "\(level) is no level of log messages.")
    }
    guard let logger else {
      Logger.shared = .standardError(known)
      return
    }
    let context = CallbackContext(context, nil)
    Logger.shared = Logger(level: known) { level, message in
      message.withCString { logger(context.pointer, Int32(level.rawValue), $0) }
    }
  }
}

/// Texts that are never freed.
nonisolated(unsafe) let emptyText: UnsafePointer<CChar> = StaticText.make("")
nonisolated(unsafe) private let versionText: UnsafePointer<CChar> = StaticText.make(Realm.libraryVersion)

enum StaticText {
  /// Copies a text into memory that is never freed.
  static func make(_ text: String) -> UnsafePointer<CChar> {
    let bytes = Array(text.utf8CString)
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    copy.initialize(from: bytes, count: bytes.count)
    return UnsafePointer(copy)
  }
}
