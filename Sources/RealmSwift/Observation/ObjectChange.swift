public import Foundation

/// One property of an object that was written.
@frozen public struct PropertyChange {
  /// The property.
  public let name: String
  /// The value before; nil when the object's own realm wrote it, when it was null, and for collections.
  public let oldValue: Any?
  /// The value now; nil when it is null, and for collections.
  public let newValue: Any?
}

/// What happened to an observed object.
@frozen public enum ObjectChange<T> {
  /// Exists for source compatibility: nothing goes wrong once an object is observed.
  case error(_ error: NSError)
  /// Properties were written, also with the values that they had.
  case change(_: T, _: [PropertyChange])
  /// The object is gone; nothing more will come.
  case deleted
}
