package import Storage

// For tools of this package, which read and write values by their columns.
extension Decimal128 {
  /// The number of its stored form.
  package convenience init(stored: Fixed16) { self.init(stored) }
  /// The form in which it is stored.
  package var stored: Fixed16 { fixed }
}
