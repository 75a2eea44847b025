import LibC

/// A descriptor that a child of `fork` does not have.
///
/// A child shares the locks of its parent: it could release them, and they would be held for as long as it lives. So its
/// descriptors are closed when it begins, and what the parent has opened is of no use to it.
final class OwnedDescriptor: Sendable {
  /// Belongs to another file, or to none, when `isOwn` says no.
  let number: Int32
  private let generation: Int

  /// - Parameter number: Is closed with this.
  init(_ number: Int32) {
    self.number = number
    generation = Forks.generation
    Forks.add(number)
  }

  deinit { if isOwn { Forks.close(number) } }

  /// Whether this process is the one that has opened it.
  @inline(__always)
  var isOwn: Bool { Forks.generation == generation }
}

extension OwnedDescriptor {
  /// Opens a file, but no link, and waits for no pipe.
  ///
  /// - Parameter expected: The file that must have the name, and is not created; nil for any, which `flags` may create.
  /// - Throws: `replaced` if another file has the name.
  static func open(
    _ path: String, _ flags: Int32, expecting expected: FileIdentity?
  ) throws(PageError) -> OwnedDescriptor {
    let flags = expected == nil ? flags : flags & ~O_CREAT
    let number = LibC.open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644)
    if number < 0 { throw .system(errno) }
    let opened = OwnedDescriptor(number)
    if let expected, FileIdentity(descriptor: number) != expected { throw .replaced }
    return opened
  }
}
