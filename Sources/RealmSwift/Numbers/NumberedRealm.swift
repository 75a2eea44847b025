import CSwiftRuntime
import Storage

/// A realm whose classes, properties and objects are numbers: those of tables, columns and rows, which never change their
/// meaning while the file exists.
///
/// Nothing here stops the program because of its caller: every function checks its arguments first and throws a `Refusal`.
package final class NumberedRealm {
  package let realm: Realm
  let core: RealmCore

  package init(_ realm: Realm) {
    self.realm = realm
    core = realm.core
  }

  /// Throws unless the realm can be used by the caller.
  package func check() throws(Refusal) {
    if core.isClosed || core.isInherited {
      throw Refusal(.closed, ProgrammerError.readingInvalidatedFrozen.message)
    }
    if !core.confinement.isCurrent {
      throw Refusal(.wrongThread, ProgrammerError.incorrectThread(nil, of: core.confinement).message)
    }
  }
}
