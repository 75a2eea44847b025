public import COpenRealm
import RealmSwift

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
