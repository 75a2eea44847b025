// Tests import this module rather than `Synchronization`, which the thread sanitizer does not see through: see
// Sources/LibC/Mutex.swift.
#if THREAD_SANITIZER
  package import LibC

  package typealias Mutex<Value: ~Copyable> = LibC.Mutex<Value>
#else
  public import Synchronization

  /// The standard library's.
  public typealias Mutex<Value: ~Copyable> = Synchronization.Mutex<Value>
#endif
