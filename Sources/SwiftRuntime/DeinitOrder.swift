/// In which order an object comes to its end.
///
/// The deinitialiser of a superclass runs before the properties of subclasses are released, so that it can still take
/// them (swift/lib/SILGen/SILGenDestructor.cpp). Checked with an object that tells. Otherwise long chains of objects in
/// memory are released as Swift does it: in a recursion.
package enum DeinitOrder {
  package static let superclassesComeFirst = RuntimeFact.deinitOrder.isSo { Probe.isAsDescribed }

  private final class Note {
    var hasProperty = false
    var isTaken = false
  }

  /// What the subclass holds.
  private final class Held {
    let note: Note

    init(_ note: Note) {
      self.note = note
      note.hasProperty = true
    }

    deinit { note.hasProperty = false }
  }

  private class Probe {
    let note: Note

    init(_ note: Note) { self.note = note }

    deinit { note.isTaken = note.hasProperty }

    static var isAsDescribed: Bool {
      let note = Note()
      _ = SubclassProbe(note)
      return note.isTaken && !note.hasProperty
    }
  }

  private final class SubclassProbe: Probe {
    let held: Held

    override init(_ note: Note) {
      held = Held(note)
      super.init(note)
    }
  }
}
