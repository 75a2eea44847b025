/// Opens a file to which things may be written, under none of the standard descriptors, also where these are closed: what another thread
/// prints must not get into it. Returns a descriptor; negative, with `errno`, when that fails.
///
/// A standard descriptor that is closed leads to `/dev/null` from then on, for reading only, so that printing fails as before. In a
/// program that is started with `exec` it is closed.
package func openBesidesStandard(_ path: String, _ flags: Int32, _ mode: mode_t = 0o644) -> Int32 {
  for standard in 0...2 as ClosedRange<Int32> where fcntl(standard, F_GETFD) < 0 {
    let placeholder = open("/dev/null", O_RDONLY | O_CLOEXEC)
    if placeholder > 2 { close(placeholder) }
  }
  let descriptor = open(path, flags, mode)
  guard 0...2 ~= descriptor else { return descriptor }
  // It was closed just now, or there is no `/dev/null`.
  let other = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
  let code = errno
  close(descriptor)
  errno = code
  return other
}
