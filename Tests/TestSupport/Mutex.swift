// Tests import this module rather than `Synchronization`, which the thread sanitizer does not see through: see
// Sources/Storage/Threads/Mutex.swift.
#if THREAD_SANITIZER
  package import Storage

  package typealias Mutex<Value: ~Copyable> = Storage.Mutex<Value>
#else
  public import Synchronization

  /// The standard library's.
  public typealias Mutex<Value: ~Copyable> = Synchronization.Mutex<Value>
#endif
