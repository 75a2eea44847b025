/// What is wrong with the content of a file, and where. The caller that knows the path and the column turns it
/// into an `OfficialFileError`.
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
