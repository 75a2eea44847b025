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

/// What a pull has read of one class.
package struct PulledClass: Sendable {
  package var rows: [PulledRow] = []
  package var departures: [Departure] = []
  /// Objects that were asked for by key, and are not there.
  package var missing: [Value] = []
  /// Whether the class was compared with the file, so that objects without differences are not among the rows.
  package var isComparison = false
  /// Number of objects that were compared.
  package var comparedCount = 0
  /// The greatest stamp of what was compared and is not among the rows.
  package var greatestStamp = Stamp.never

  /// What was read of the collections of the class, in their order.
  package var elements: [PulledElements] = []
  /// Whether that is all that the server has for this client.
  package var hasAllElements = false
  /// The keys of objects of which all elements were read.
  package var wholeOwners: Set<ExactValue> = []

  package init() {}

  package var isEmpty: Bool {
    rows.isEmpty && departures.isEmpty && missing.isEmpty && elements.allSatisfy(\.isEmpty)
  }
}
