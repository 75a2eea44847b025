import OfficialFiles
import RealmSwift

/// A refused request: status and the text for the user.
struct StudioFault: Error {
  let status: Int
  let message: String
  /// Further members of the answer's object, as JSON without braces, for example `"from":4,"to":9`.
  let details: String

  init(_ status: Int, _ message: String, details: String = "") {
    self.status = status
    self.message = message
    self.details = details
  }
}

extension StudioFault {
  static let wrongMethod = StudioFault(405, "The path does not take this method.")

  static func tooLarge(limit: Int) -> StudioFault {
    StudioFault(413, "The body of the request is larger than \(Numbers.bytes(limit)).")
  }

  /// The answer to an error: status 422 when the request is wrong, 500 when the file fails.
  ///
  /// - Parameter details: As of the other initializer; of an error that is a fault already, its own ones are kept.
  init(_ error: any Error, details: String = "") {
    switch error {
    case let fault as StudioFault: self = fault
    case let fault as ValueFault:
      let isSentence = fault.message.last.map { ".?!".contains($0) } ?? false
      self.init(422, isSentence ? fault.message : fault.message + ".", details: details)
    case let error as UsageError: self.init(422, error.message, details: details)
    case let error as SourceError: self.init(422, "Line \(error.line): \(error.message).", details: details)
    case let error as ToolError: self.init(500, error.message, details: details)
    case let error as OfficialFileError: self.init(500, error.description, details: details)
    case is CancellationError: self.init(408, "The request took too long.", details: details)
    default:
      let refusal = Refusal(of: error)
      self.init(refusal.code.isOfFile ? 500 : 422, refusal.message, details: details)
    }
  }
}

extension Refusal.Code {
  /// Whether the file is the reason, and not the request.
  fileprivate var isOfFile: Bool {
    switch self {
    case .error, .damaged, .closed, .wrongThread, .readOnly, .tooManyVersions: true
    default: rawValue >= Refusal.Code.fileNotFound.rawValue
    }
  }
}
