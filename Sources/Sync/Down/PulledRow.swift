package import Storage

/// An object as a snapshot of the server has it.
package struct PulledRow: Sendable {
  package var key: Value
  /// The values of the synced properties, in the order of the class.
  package var values: [Value]
  /// For each of the values, the stamp with which it was written.
  package var stamps: PulledStamps
  /// The stamp of the object's creation.
  package var creation: Stamp

  package init(key: Value, values: [Value], stamps: PulledStamps, creation: Stamp) {
    self.key = key
    self.values = values
    self.stamps = stamps
    self.creation = creation
  }
}

/// An object that was deleted, or that the client is no longer shown.
package struct Departure: Sendable {
  package var key: Value
  /// The stamp of the deletion; nil when the object only went where this client does not see it.
  package var died: Stamp?

  package init(key: Value, died: Stamp?) {
    self.key = key
    self.died = died
  }
}
