import COpenRealm
import LibC
import RealmSwift
import Storage

// Every function of the interface runs its body in one of these, so that a refusal becomes a code and the last error of the
// thread.

/// Runs the body of a function that returns a code.
@inline(__always)
func code(_ body: () throws(Refusal) -> Void) -> Int32 {
  do throws(Refusal) {
    try body()
    return 0
  } catch {
    return LastError.set(error)
  }
}

/// Runs the body of a function that returns a handle. NULL when it throws.
func handle(_ body: () throws(Refusal) -> Handle) -> OpaquePointer? {
  do throws(Refusal) {
    return try body().pointer
  } catch {
    LastError.set(error)
    return nil
  }
}

/// Runs the body of a function that returns a plain value, and another one when it throws.
@inline(__always)
func value<Value>(or otherwise: Value, _ body: () throws(Refusal) -> Value) -> Value {
  do throws(Refusal) {
    return try body()
  } catch {
    LastError.set(error)
    return otherwise
  }
}

/// The last failure of each thread. The texts belong to the thread, and are freed when it ends.
enum LastError {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let code = pthread_key_create(&key) { known in
      LastError.free(known!.assumingMemoryBound(to: openrealm_error.self))
    }
    precondition(code == 0, "The process has no thread-specific keys left.")
    return key
  }()

  private static func free(_ place: UnsafeMutablePointer<openrealm_error>) {
    LibC.free(UnsafeMutableRawPointer(mutating: place.pointee.message))
    LibC.free(UnsafeMutableRawPointer(mutating: place.pointee.path))
    place.deallocate()
  }

  /// How many failures a thread has had.
  private final class FailureCount {
    var count = 0
  }

  private static let failureCount = ThreadLocal { FailureCount() }

  /// The number of failures of the calling thread so far.
  static var count: Int { failureCount.value.count }

  /// The failure of the calling thread; nil before the first.
  static var current: openrealm_error? {
    pthread_getspecific(key)?.assumingMemoryBound(to: openrealm_error.self).pointee
  }

  /// Makes a refusal the last failure of the calling thread, and returns its code.
  @inline(never)
  @discardableResult
  static func set(_ refusal: Refusal) -> Int32 {
    let place: UnsafeMutablePointer<openrealm_error>
    if let known = pthread_getspecific(key) {
      place = known.assumingMemoryBound(to: openrealm_error.self)
      LibC.free(UnsafeMutableRawPointer(mutating: place.pointee.message))
      LibC.free(UnsafeMutableRawPointer(mutating: place.pointee.path))
    } else {
      place = .allocate(capacity: 1)
      pthread_setspecific(key, place)
    }
    failureCount.value.count += 1
    place.initialize(
      to: openrealm_error(
        code: refusal.code.rawValue, message: strdup(refusal.message),
        path: refusal.path.flatMap { strdup($0) },
        position: refusal.position.map { Int64($0) } ?? -1))
    return refusal.code.rawValue
  }
}

/// Runs a body that may throw any error of the library.
func refusing<Value>(_ body: () throws -> Value) throws(Refusal) -> Value {
  do { return try body() } catch { throw Refusal(of: error) }
}
