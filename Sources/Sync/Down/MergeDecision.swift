/// What a pull does with one value of an object that the file has.
package enum ValueDecision: Sendable, Hashable {
  /// The file has a later write, which is still pending.
  case keep
  /// The file has the server's value, and nothing is pending.
  case unchanged
  /// The server's value is written; a pending write of the value is thereby cancelled.
  case take

  /// Decides by the rule that the later write wins.
  ///
  /// - Parameters:
  ///   - pending: The stamp with which the file's value is pending; nil if it is not.
  ///   - server: The stamp of the server's value.
  ///   - isEqual: Whether the values are the same.
  ///   - isWritten: Whether the pending stamp is that of a write, and not only that of the object's creation. Only such a
  ///     stamp is cancelled by writing the value again.
  package init(pending: Stamp?, server: Stamp, isEqual: Bool, isWritten: Bool) {
    if let pending, pending > server {
      self = .keep
    } else if isEqual && !(pending != nil && isWritten) {
      self = .unchanged
    } else {
      self = .take
    }
  }
}

/// What a pull does with an object that the server has.
package enum ObjectDecision: Sendable, Hashable {
  /// The file has deleted the object after it was created, which the server does not know yet. An object with the same key that
  /// the file has is another, newer one.
  case skip
  /// The object is added to the file.
  case insert
  /// The values are decided one by one.
  case merge

  /// - Parameters:
  ///   - isHere: Whether the file has an object with the key.
  ///   - deletion: The stamp with which the deletion of the key is pending; nil if it is not.
  ///   - creation: The stamp of the creation of the server's object.
  package init(isHere: Bool, deletion: Stamp?, creation: Stamp) {
    if let deletion, deletion >= creation {
      self = .skip
    } else {
      self = isHere ? .merge : .insert
    }
  }
}

/// What a pull does with an object that has departed from the server.
package enum DepartureDecision: Sendable, Hashable {
  /// The file's object is younger than the deletion.
  case keep
  /// The object is deleted, with what is pending on it.
  case delete
  /// The object is removed as soon as nothing of it is pending.
  case evict

  /// - Parameters:
  ///   - died: The stamp of the deletion; nil if the object only went where the client does not see it.
  ///   - creation: The stamp with which the creation of the file's object is pending; nil if it is not.
  package init(died: Stamp?, creation: Stamp?) {
    guard let died else {
      self = .evict
      return
    }
    self = if let creation, creation > died { .keep } else { .delete }
  }
}
