import Foundation
import RealmSwift

/// How a hut is run.
public enum HutKind: String, PersistableEnum {
  /// Somebody cooks.
  case staffed
  /// There is a stove.
  case selfService
}

/// A house in the mountains.
public class Hut: Object, ObjectKeyIdentifiable {
  /// Identifies it.
  @Persisted(primaryKey: true) public var _id: ObjectId
  /// What it is called.
  @Persisted(indexed: true) public var name: String
  /// For how many people there is room.
  @Persisted public var beds: Int
  /// Metres above the sea, since schema version 2.
  @Persisted public var altitude: Int
  /// How it is run.
  @Persisted public var kind: HutKind
  /// Where it is.
  @Persisted public var address: Address?
  /// Who was there.
  @Persisted public var entries: List<Entry>
}

/// Where a hut is.
public class Address: EmbeddedObject {
  /// The valley that it belongs to.
  @Persisted public var valley: String?
}

/// A line of the book.
public class Entry: Object, ObjectKeyIdentifiable {
  /// Identifies it.
  @Persisted(primaryKey: true) public var _id: ObjectId
  /// Who wrote it.
  @Persisted public var guest: String
  /// When.
  @Persisted public var date: Date
  /// The hut.
  @Persisted(originProperty: "entries") public var huts: LinkingObjects<Hut>

  /// An entry of now.
  public convenience init(guest: String) {
    self.init()
    self.guest = guest
    date = Date()
  }
}

/// What a row of the list shows of a hut.
public class HutRow: Projection<Hut> {
  /// What it is called.
  @Projected(\Hut.name) public var name
  /// The valley that it belongs to.
  @Projected(\Hut.address?.valley) public var valley
  /// Who was there.
  @Projected(\Hut.entries.projectTo.guest) public var guests: ProjectedCollection<String>
}
