import Storage

extension Realm {
  /// What was found when a file was looked at as a whole.
  ///
  /// An addition to the official SDK.
  public struct Verification: Sendable, CustomStringConvertible {
    /// What of the objects is lost with something that is damaged.
    public enum Loss: Sendable, Hashable {
      /// Nothing: it can be made anew of what is there, as indexes can.
      case nothing
      /// Values of a property.
      case values
      /// Objects.
      case objects
      /// That can not be told.
      case unknown
    }

    /// Something that is damaged.
    public struct Fault: Sendable, Hashable, CustomStringConvertible {
      /// The class concerned; nil when it is the file as a whole.
      public let className: String?
      /// The property concerned, with its name in the file.
      public let propertyName: String?
      /// Which objects of the class are concerned: the numbers of their rows, which are given in the order in which
      /// objects are created. Nil when that is not known, or all of them are.
      public let rows: Range<Int>?
      /// What is wrong.
      public let reason: String
      /// What of the objects is lost with it.
      public let loss: Loss

      init(_ fault: FileFault) {
        className = fault.className
        propertyName = fault.propertyName
        rows = fault.rows
        reason = fault.reason
        loss =
          switch fault.loss {
          case .nothing: .nothing
          case .values: .values
          case .objects: .objects
          case .unknown: .unknown
          }
      }

      /// What was found, in lines for people to read.
      public var description: String {
        let place = className.map { name in propertyName.map { "\(name).\($0)" } ?? name }
        let rows = rows.map {
          $0.count == 1 ? "row \($0.lowerBound)" : "rows \($0.lowerBound) to \($0.upperBound - 1)"
        }
        let parts = [place, rows].compactMap { $0 }.joined(separator: ", ")
        let cost =
          switch loss {
          case .nothing: "nothing is lost"
          case .values: "values are lost"
          case .objects: "objects are lost"
          case .unknown: "what is lost can not be told"
          }
        return (parts.isEmpty ? "" : parts + ": ") + "\(reason) (\(cost))"
      }
    }

    /// All that is damaged.
    public let faults: [Fault]
    /// The number of objects, of all classes.
    public let objectCount: Int
    /// The bytes of the file.
    public let size: Int

    init(_ found: FileVerification) {
      faults = found.faults.map { Fault($0) }
      objectCount = found.objectCount
      size = found.size
    }

    private static func count(_ number: Int, _ noun: String) -> String {
      "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Whether nothing is damaged.
    public var isSound: Bool { faults.isEmpty }

    /// What was found, in lines for people to read.
    public var description: String {
      "\(Self.count(objectCount, "object")), \(size) bytes, "
        + (isSound ? "sound" : Self.count(faults.count, "fault"))
        + faults.map { "\n- \($0)" }.joined()
    }
  }
}
