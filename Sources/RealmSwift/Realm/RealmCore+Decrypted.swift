import Storage

// What of an encrypted file is in memory.
extension RealmCore {
  /// Called where the program asks for the next object, at whatever position: nothing of the snapshot is in use then, so
  /// that what is decrypted can be let go of when it is much. Looks at that now and then only.
  @inline(__always)
  func pause(at position: Int = 0) {
    if isEncrypted, position & 15 == 0, snapshot.mayHoldTooMuch { letGoOfDecrypted() }
  }

  @inline(never)
  private func letGoOfDecrypted() {
    // On a wrong thread the next read stops the program.
    if !isFrozen && generation == Fork.generation && confinement.isCurrent { snapshot.letGoOfDecrypted() }
  }
}
