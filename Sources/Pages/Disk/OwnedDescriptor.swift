import LibC

/// A descriptor that a child of `fork` does not have.
///
/// A child shares the locks of its parent: it could release them, and they would be held for as long as it lives. So its
/// descriptors are closed when it begins, and what the parent has opened is of no use to it.
package final class OwnedDescriptor: Sendable {
  /// Belongs to another file, or to none, when `isOwn` says no.
  package let number: Int32
  private let generation = Forks.generation

  private init(registered number: Int32) { self.number = number }

  /// - Parameter number: Is closed with this. A child of a `fork` before may keep it: a file is opened with `open`.
  package convenience init(_ number: Int32) {
    Forks.add(number)
    self.init(registered: number)
  }

  deinit { if isOwn { Forks.close(number) } }

  /// Whether this process is the one that has opened it.
  @inline(__always)
  package var isOwn: Bool { Forks.generation == generation }
}

extension OwnedDescriptor {
  /// Opens a file. Returns nil, with `errno`, when that fails.
  package static func open(_ path: String, _ flags: Int32) -> OwnedDescriptor? {
    let number = Forks.open(path, flags | O_CLOEXEC)
    return number < 0 ? nil : OwnedDescriptor(registered: number)
  }

  /// Opens a file, but no link, and waits for no pipe.
  ///
  /// - Parameter expected: The file that must have the name, and is not created; nil for any, which `flags` may create.
  /// - Throws: `replaced` if another file has the name.
  static func open(
    _ path: String, _ flags: Int32, expecting expected: FileIdentity?
  ) throws(PageError) -> OwnedDescriptor {
    let flags = expected == nil ? flags : flags & ~O_CREAT
    guard let opened = open(path, flags | O_NOFOLLOW | O_NONBLOCK) else { throw .system(errno) }
    if let expected, FileIdentity(descriptor: opened.number) != expected { throw .replaced }
    return opened
  }
}
