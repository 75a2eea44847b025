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

/// A realm of tickets, each with as many parts; the older ones are deleted.
public struct Registry {
  /// The parts of each ticket: half of them in its list, the others linked by these.
  public static let partCount = 40
  /// So many tickets are kept.
  public static let ticketLimit = 5

  /// The open file.
  public let realm: Realm

  /// Opens the file.
  public init(path: String, durability: Realm.Durability = .full) throws {
    realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), encryptionKey: Ledger.encryptionKey(path),
        objectTypes: [Ticket.self, TicketPart.self, Seat.self], durability: durability))
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

  /// Takes a seat, by its name or by its place. Returns whether nobody had it before.
  public func take(_ seat: Int) throws -> Bool {
    do {
      try realm.write {
        let taken = realm.create(Seat.self, value: ["row": seat / 10, "place": seat % 10])
        if seat % 2 == 0 {
          taken.name = "\(seat)"
          taken.place -= 1000 * taken.number
        }
      }
      return true
    } catch Realm.Error.ruleBroken {
      return false
    }
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
