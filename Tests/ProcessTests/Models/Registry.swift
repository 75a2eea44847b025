import Foundation
import RealmSwift

/// A ticket that the file numbers, and that owns its parts.
public final class Ticket: Object {
  /// Given by the file.
  @Persisted(primaryKey: true, autoIncrement: true) public var number: Int
  /// Who made it.
  @Persisted public var writer = ""
  /// Deleted with it.
  @Persisted(onDelete: .cascade) public var parts: List<TicketPart>
}

/// A part of a ticket, or of another part.
public final class TicketPart: Object {
  /// Given by the file, too.
  @Persisted(primaryKey: true, autoIncrement: true) public var number: Int
  /// Deleted with it.
  @Persisted(onDelete: .cascade) public var next: TicketPart?
  /// Can not be deleted before it.
  @Persisted(onDelete: .deny) public var ticket: Ticket?
}

/// A seat, which only one has.
public final class Seat: Object {
  /// Given by the file.
  @Persisted(primaryKey: true, autoIncrement: true) public var number: Int
  /// Each once.
  @Persisted(unique: true) public var name: String?
  /// Where it is, together with `place`.
  @Persisted public var row = 0
  /// Where it is in the row.
  @Persisted public var place = 0

  public override class func indexes() -> [Index] { [.unique(\.row, \.place), .index(\.place, \.row)] }
}

/// A desk, which is known by the room and its place there.
public final class Desk: Object {
  /// The first half of its key.
  @Persisted public var room = 0
  /// The second half; nil is a place like others.
  @Persisted public var place: Int?

  public override class func indexes() -> [Index] { [.primaryKey(\.room, \.place)] }
}

/// A realm of tickets, each with as many parts; the older ones are deleted. And of seats, some with desks, which are taken
/// once.
public struct Registry {
  /// The parts of each ticket: half of them in its list, the others linked by these.
  public static let partCount = 40
  /// So many tickets are kept.
  public static let ticketLimit = 5

  /// The open file.
  public let realm: Realm

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - durability: That of its transactions.
  ///   - startsAnew: Whether it is of the next version, and a file of another one deleted.
  public init(path: String, durability: Realm.Durability = .full, startsAnew: Bool = false) throws {
    realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), encryptionKey: Ledger.encryptionKey(path),
        schemaVersion: startsAnew ? 1 : 0, deleteRealmIfMigrationNeeded: startsAnew,
        objectTypes: [Ticket.self, TicketPart.self, Seat.self, Desk.self], durability: durability))
  }

  /// Makes a ticket, deletes those that are too many, and returns its number.
  @discardableResult
  public func append(writer: String = "") throws -> Int {
    try realm.write {
      let ticket = Ticket()
      ticket.writer = writer
      for _ in 0..<Self.partCount / 2 {
        let part = TicketPart()
        part.next = TicketPart()
        part.ticket = ticket
        ticket.parts.append(part)
      }
      realm.add(ticket)
      let limit = ticket.number - Self.ticketLimit
      realm.delete(realm.objects(Ticket.self).where { $0.number <= limit })
      return ticket.number
    }
  }

  /// Takes a seat: by its name, by its place, or by the key of its desk. Returns whether nobody had it before.
  public func take(_ seat: Int) throws -> Bool {
    do {
      try realm.write {
        let taken = realm.create(Seat.self, value: ["row": seat / 10, "place": seat % 10])
        if seat % 2 == 1 { return }
        taken.place -= 1000 * taken.number
        if seat % 4 == 0 {
          taken.name = "\(seat)"
        } else {
          // Found to be there when the transaction ends only.
          let desk = realm.create(Desk.self, value: ["room": -taken.number])
          (desk.room, desk.place) = Self.key(seat)
        }
      }
      return true
    } catch Realm.Error.ruleBroken {
      return false
    }
  }

  private static func key(_ seat: Int) -> (Int, Int?) { (seat / 10, seat % 10 == 0 ? nil : seat % 10) }

  /// What is wrong with the seats when each process has tried to take one after the other, from the first; nil for nothing.
  public var faultOfSeats: String? {
    let count = realm.objects(Seat.self).count
    let desks = realm.objects(Desk.self)
    for seat in 0..<count {
      let found =
        switch seat % 4 {
        case 0: realm.objects(Seat.self).where { $0.name == "\(seat)" }.count
        case 2: realm.object(ofType: Desk.self, forPrimaryKey: Self.key(seat)) == nil ? 0 : 1
        default: realm.objects(Seat.self).where { $0.row == seat / 10 && $0.place == seat % 10 }.count
        }
      if found != 1 { return "\(found) of seat \(seat) of \(count)" }
    }
    return desks.count == (count + 1) / 4 ? nil : "\(desks.count) desks of \(count) seats"
  }

  /// What is wrong with the file; nil for nothing.
  public var fault: String? {
    let tickets = realm.objects(Ticket.self).sorted(byKeyPath: "number")
    let parts = realm.objects(TicketPart.self)
    if parts.count != tickets.count * Self.partCount {
      return "\(parts.count) parts of \(tickets.count) tickets"
    }
    if Set(parts.map(\.number)).count != parts.count { return "a number twice" }
    for ticket in tickets where !ticket.parts.allSatisfy({ $0.next != nil && $0.ticket == ticket }) {
      return "the parts of ticket \(ticket.number)"
    }
    // Each ticket has the next numbers for its parts.
    if let last = tickets.last, parts.max(of: \.number) != last.number * Self.partCount {
      return "part \(parts.max(of: \.number) ?? 0) of ticket \(last.number)"
    }
    return nil
  }
}
