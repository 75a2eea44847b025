import Storage

extension Realm {
  /// The result of verifying or salvaging a file.
  ///
  /// An addition to the official SDK.
  public struct Verification: Sendable, CustomStringConvertible {
    /// The kind of data that is lost with a damaged part.
    public enum Loss: Sendable, Hashable {
      /// No data: the part can be rebuilt from other data, as indexes can.
      case nothing
      /// Values of a property.
      case values
      /// Objects.
      case objects
      /// Unknown data.
      case unknown
    }

    /// A damaged part of a file.
    public struct Fault: Sendable, Hashable, CustomStringConvertible {
      /// The class concerned; nil for the file as a whole.
      public let className: String?
      /// The property concerned, by its column name.
      public let propertyName: String?
      /// The row numbers of the concerned objects, in the order in which objects were created; nil if they
      /// are unknown or all objects are concerned.
      public let rows: Range<Int>?
      /// A description of the damage.
      public let reason: String
      /// The kind of data that is lost.
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

      /// The damage, in lines of text.
      public var description: String {
        let place = className.map { name in propertyName.map { "\(name).\($0)" } ?? name }
        let rows = rows.map {
          $0.count == 1 ? "row \($0.lowerBound)" : "rows \($0.lowerBound) to \($0.upperBound - 1)"
        }
        let parts = [place, rows].compactMap { $0 }.joined(separator: ", ")
        return (parts.isEmpty ? "" : parts + ": ") + "\(reason) (\(cost))"
      }

      /// What is lost, in words.
      package var cost: String {
        switch loss {
        case .nothing: "nothing is lost"
        case .values: "values are lost"
        case .objects: "objects are lost"
        case .unknown: "the loss is unknown"
        }
      }
    }

    /// All damaged parts.
    public let faults: [Fault]
    /// The number of objects of all classes.
    public let objectCount: Int
    /// The size of the file, in bytes.
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

    /// The result, in lines of text.
    public var description: String {
      "\(Self.count(objectCount, "object")), \(size) bytes, "
        + (isSound ? "sound" : Self.count(faults.count, "fault"))
        + faults.map { "\n- \($0)" }.joined()
    }
  }
}
