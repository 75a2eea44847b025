import RealmSwift

/// The faults of a file as lines of text: one line for all faults of a class that differ in their property, rows or numbers only.
struct FaultLines {
  private struct Kind: Hashable {
    let className: String?
    /// The reason without its numbers.
    let reason: String
    let loss: Realm.Verification.Loss
  }

  private var kinds: [Kind] = []
  private var faults: [Kind: [Realm.Verification.Fault]] = [:]

  init(_ all: [Realm.Verification.Fault]) {
    for fault in all {
      let reason = fault.reason.replacing(/[0-9]+/, with: "0")
      let kind = Kind(className: fault.className, reason: reason, loss: fault.loss)
      if faults[kind] == nil { kinds.append(kind) }
      faults[kind, default: []].append(fault)
    }
  }

  /// The lines, in the order of the first fault of each.
  var lines: [String] { kinds.map { Self.line(faults[$0]!) } }

  private static func line(_ faults: [Realm.Verification.Fault]) -> String {
    let first = faults[0]
    if faults.count == 1 { return "\(first)" }
    var names: [String] = []
    for name in faults.compactMap(\.propertyName) where !names.contains(name) { names.append(name) }
    var place = first.className ?? ""
    if names.count == 1 {
      place += ".\(names[0])"
    } else if !names.isEmpty {
      place += " (\(RealmFile.listed(names)))"
    }
    let rows = faults.compactMap(\.rows)
    var parts = place.isEmpty ? [] : [place]
    if rows.count == faults.count {
      parts.append("in rows \(rows.map(\.lowerBound).min()!) to \(rows.map(\.upperBound).max()! - 1)")
    }
    parts.append(Numbers.count(faults.count, "fault"))
    if faults.contains(where: { $0.reason != first.reason }) { parts.append("the first") }
    return "\(parts.joined(separator: ", ")): \(first.reason) (\(first.cost))"
  }
}
