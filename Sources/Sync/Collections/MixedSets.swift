import Storage

// Sets of mixed values: the server has one row for all numbers that are one element of a realm, and the later write says of which type
// it is.
extension LocalCollection {
  /// Returns an element of a set of mixed values, or one with what stands in the place of a value that cannot be read.
  ///
  /// - Parameter element: The element with what the server tells it apart by. Its links have keys without their types.
  func readable(_ element: CollectionElement) -> CollectionElement {
    guard let value = content.typed(element.value) else { return element }
    var result = self.element(value)
    if let reason = value.reasonAgainstSets {
      result.value = .unreadable(reason)
    } else if result.identity.asRead?.isExactly(element.identity) != true {
      // Another row may have the same element in another form.
      result.value = .unreadable("it is not written as realms write it")
    }
    return result
  }

  /// Why an element cannot be sent; nil for one of another collection.
  func refusal(of element: CollectionElement) -> UnsendableValue? {
    if isMixedSet, case .decimal128 = element.value { UnsendableValue(.decimalInSet) } else { nil }
  }

  /// Returns what tells an element apart, with the keys of links as their classes have them; nil for an element that is not read:
  /// the file may have it in another form, or another element in its place, such as the number 1 in that of a Decimal128.
  ///
  /// - Parameter identity: What the server says.
  func readableIdentity(_ identity: Value) -> Value? {
    if !isMixedSet { return identity }
    guard let value = content.typed(identity) else { return nil }
    let isRead = readable(CollectionElement(identity: identity, value: value)).value.unreadableReason == nil
    return isRead ? element(value).identity : nil
  }
}

extension Value {
  /// Why it cannot be an element of a set of mixed values that is synchronised; nil if it can.
  var reasonAgainstSets: String? {
    switch self {
    case .decimal128: "a set of values of any type holds a Decimal128"
    case .list, .dictionary: linkedObject == nil ? "a set holds a list or a dictionary" : nil
    default: nil
    }
  }

  /// The value as it is read from the server after it was sent; nil if it cannot be sent.
  fileprivate var asRead: Value? {
    (try? ServerMixed.bytes(of: self)).map { bytes in bytes.withUnsafeBytes { ServerMixed.value($0) } }
  }
}
