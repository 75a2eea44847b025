package import Storage

/// What a pull has read of one class.
package struct PulledClass {
  package var rows = PulledRows()
  package var departures: [Departure] = []
  /// Objects that were asked for by key, and are not there.
  package var missing: [Value] = []
  /// Whether the class was compared with the file, so that objects without differences are not among the rows.
  package var isComparison = false
  /// Number of objects that were compared.
  package var comparedCount = 0
  /// The greatest stamp of what was compared and is not among the rows.
  package var greatestStamp = Stamp.never

  /// What was read of the sets and maps of the class, in their order.
  package var elements: [PulledElements] = []

  package init() {}

  package var isEmpty: Bool {
    rows.isEmpty && departures.isEmpty && missing.isEmpty && elements.allSatisfy(\.isEmpty)
  }
}
