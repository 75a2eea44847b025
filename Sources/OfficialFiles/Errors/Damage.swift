/// What is wrong with the content of a file, and where. Travels up to whoever knows the path and the column, and becomes an
/// `OfficialFileError` there.
struct Damage: Error {
  let what: String
  /// The byte of the (decrypted) file at which the node concerned begins.
  let offset: Int?

  init(_ what: String, at offset: Int? = nil) {
    self.what = what
    self.offset = offset
  }
}

/// A sound file that this reader does not read.
struct Unsupported: Error {
  let what: String
}
