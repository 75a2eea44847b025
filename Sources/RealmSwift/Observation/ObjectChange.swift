public import Foundation

/// A property of an object that was written.
@frozen public struct PropertyChange {
  /// The name of the property.
  public let name: String
  /// The previous value; nil if the object's own realm wrote the property, if the value was null, and for
  /// collections.
  public let oldValue: Any?
  /// The new value; nil if it is null, and for collections.
  public let newValue: Any?
}

/// A change of an observed object.
@frozen public enum ObjectChange<T> {
  /// Never delivered; present for source compatibility.
  case error(_ error: NSError)
  /// Properties were written. Contains their previous values.
  case change(_: T, _: [PropertyChange])
  /// The object was deleted. No more changes follow.
  case deleted
}
