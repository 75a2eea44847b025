import LibC
import Synchronization

/// Numbers that survive the process that noted them: memory of a file.
package struct Notes: @unchecked Sendable {
  private let base: UnsafeMutableRawPointer

  package init(path: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    guard descriptor >= 0, ftruncate(descriptor, 4096) == 0,
      let map = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), map != MAP_FAILED
    else { throw WrongContents("\(path) cannot be mapped") }
    close(descriptor)
    base = map
  }

  private func place(_ number: Int) -> UnsafeMutablePointer<Atomic<Int>> {
    (base + number * 64).assumingMemoryBound(to: Atomic<Int>.self)
  }

  package func set(_ number: Int, _ value: Int) {
    place(number).pointee.store(value, ordering: .sequentiallyConsistent)
  }

  package subscript(number: Int) -> Int { place(number).pointee.load(ordering: .sequentiallyConsistent) }
}
