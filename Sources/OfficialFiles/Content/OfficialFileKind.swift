/// What a file looks like from outside, before anything of it is believed.
package enum OfficialFileKind: Hashable, Sendable {
  /// It has the mark of the official engine.
  case official
  /// It looks like a file that the official engine has encrypted. Nothing but the key tells for sure.
  case maybeEncrypted
  case other

  package init(path: String) throws(OfficialFileError) {
    let file = try OpenFile(path)
    self = file.hasMark ? .official : EncryptedPages.mayBe(file) ? .maybeEncrypted : .other
  }
}
