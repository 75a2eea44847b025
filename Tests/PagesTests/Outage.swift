import LibC

@testable import Pages

/// Lets writes fail, the first ones after they have happened.
final class Outage: StoreWatcher {
  let path: String
  var isOut = false
  /// Number of writes that go well before.
  var left = 0
  var unnoticed = 0
  var failsToSynchronise = false

  init(path: String) { self.path = path }

  func willWrite(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(PageError) {
    if !isOut { return }
    if left > 0 {
      left -= 1
      return
    }
    if unnoticed > 0 {
      unnoticed -= 1
      let descriptor = open(path, O_RDWR)
      pwrite(descriptor, bytes.baseAddress!, bytes.count, off_t(offset))
      close(descriptor)
    }
    throw .system(ENOSPC)
  }

  func willSynchronise() throws(PageError) { if failsToSynchronise { throw .system(EIO) } }
  func didSynchronise() {}
  func willStore() {}
}
