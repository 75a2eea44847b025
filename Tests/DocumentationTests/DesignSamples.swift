import Foundation
import RealmSwift

/// The classes of the article on the design of models.
enum DesignSamples {
  class Booking: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var hut: Hut?  // shared with other bookings: a link
    @Persisted var address: BillingAddress?  // a part of this booking: embedded
  }

  class BillingAddress: EmbeddedObject {
    @Persisted var street: String
    @Persisted var city: String
  }

  class Membership: Object {
    @Persisted var club: String
    @Persisted var number: Int
    @Persisted var holder: String

    override class func indexes() -> [Index] { [.primaryKey(\.club, \.number)] }
  }

  class Payment: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var amount: Decimal128 = 0
    @Persisted var currency = "EUR"
    @Persisted var state = PaymentState.open
  }

  class CashPayment: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted(indexed: true) var cents: Int
  }

  enum PaymentState: CustomPersistable {
    case open, paid
    case unknown(String)

    init(persistedValue: String) {
      switch persistedValue {
      case "open": self = .open
      case "paid": self = .paid
      default: self = .unknown(persistedValue)
      }
    }

    var persistableValue: String {
      switch self {
      case .open: "open"
      case .paid: "paid"
      case .unknown(let name): name
      }
    }
  }

  /// A day without a time zone, stored as a number such as 20260714.
  struct CalendarDay: CustomPersistable {
    var year, month, day: Int

    init(_ year: Int, _ month: Int, _ day: Int) { (self.year, self.month, self.day) = (year, month, day) }
    init(persistedValue: Int) {
      self.init(persistedValue / 10_000, persistedValue / 100 % 100, persistedValue % 100)
    }
    var persistableValue: Int { year * 10_000 + month * 100 + day }
  }

  class Tour: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted(indexed: true) var start: Date  // the moment, the same everywhere
    @Persisted var timeZone = "Europe/Vienna"  // where clocks show it
    @Persisted(indexed: true) var day = CalendarDay(2026, 1, 1)  // the day there
  }

  class Reading: Object {
    @Persisted var station: Int
    @Persisted var time: Date
    @Persisted var temperature: Double

    override class func indexes() -> [Index] { [.index(\.station, \.time)] }
  }

  class PriceChange: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var number: Int
    @Persisted var hut: Hut?
    @Persisted var hutName: String
    @Persisted var rate: String
    @Persisted var before: Double?
    @Persisted var after: Double?
    @Persisted var time = Date()
  }

  class Guest: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var name: String
    @Persisted(indexed: true) var deletedAt: Date?
  }

  class Photo: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var thumbnail: Data  // a few kilobytes
    @Persisted var path: String  // of the picture, relative to the folder of the pictures
  }
}
