import Foundation
import ProcessTestModels
import RealmSwift

/// What is said of a mutant by who verifies it, salvages it, and verifies what was salvaged.
struct MutantInspection {
  enum Finding: UInt64, CustomStringConvertible {
    case sound = 1
    case faulty, error

    var description: String {
      switch self {
      case .sound: "sound"
      case .faulty: "faulty"
      case .error: "an error"
      }
    }
  }

  private enum Step: Int, CaseIterable {
    case verifying, salvaging, verifyingCopy
  }

  private let process: MutantProcess
  private let findings: [Finding]

  init(_ path: String, errorPath: String) {
    process = MutantProcess(["inspect", path], errorPath: errorPath)
    findings = process.numbers.compactMap { Finding(rawValue: $0) }
  }

  private func finding(_ step: Step) -> Finding? {
    step.rawValue < findings.count ? findings[step.rawValue] : nil
  }

  /// What verifying the mutant has found.
  var verified: Finding? { finding(.verifying) }

  /// What came of it, for the table.
  var outcomes: [String] {
    [
      finding(.verifying).map { "verified: \($0)" }, finding(.salvaging).map { "salvaged: \($0)" },
    ].compactMap { $0 }
  }

  /// What is wrong, or nil: it ends in every case, and what is salvaged is sound.
  var fault: String? {
    let steps = Step.allCases.prefix(finding(.salvaging) == .error ? 2 : 3)
    if process.fate != .done || findings.count < steps.count {
      let step = findings.count < steps.count ? "while \(steps[findings.count])" : "afterwards"
      return "\(process.fate) \(step)"
    }
    if finding(.verifyingCopy) == .faulty || finding(.verifyingCopy) == .error {
      return "what was salvaged is not sound"
    }
    if finding(.verifying) == .sound && finding(.salvaging) == .error {
      return "verified as sound, but can not be salvaged"
    }
    return nil
  }

  // MARK: Within the process

  /// Tells what was found in each step.
  static func live(_ path: String) -> Never {
    MutantProcess.live {
      let key = Ledger.encryptionKey(path)
      let file = URL(fileURLWithPath: path)
      let copy = URL(fileURLWithPath: path + ".salvaged")
      for suffix in ["", "-lock"] { unlink(copy.path + suffix) }
      tell { try Realm.verify(at: file, encryptionKey: key) }
      let isThere = tell { try Realm.salvage(from: file, to: copy, encryptionKey: key) }
      if isThere { tell { try Realm.verify(at: copy, encryptionKey: key) } }
    }
  }

  /// Returns whether nothing was thrown.
  @discardableResult
  private static func tell(_ look: () throws -> Realm.Verification) -> Bool {
    do {
      let found = try look()
      if !found.isSound { FileHandle.standardError.write(Data("\(found)\n".utf8)) }
      MutantProcess.tell((found.isSound ? Finding.sound : .faulty).rawValue)
      return true
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      MutantProcess.tell(Finding.error.rawValue)
      return false
    }
  }
}
