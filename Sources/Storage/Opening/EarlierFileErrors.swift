import EarlierFiles

extension EarlierFileCopy {
  /// Passes on what a body throws, as the error of the file at a place.
  static func describing<Result>(
    _ location: FileLocation, _ body: () throws(EarlierFileError) -> Result
  ) throws(StorageError) -> Result {
    do throws(EarlierFileError) {
      return try body()
    } catch {
      let path = location.path
      switch error {
      case .system(let code): throw .system(code, path: path)
      case .damaged(let fault): throw damaged(location, fault)
      case .truncated(let reason): throw .invalid(path: path, reason)
      case .unsupportedFormat(let format): throw unsupported(location, format)
      case .keyIsMissing: throw .of(.missingKey, path: path)
      case .keyIsWrong: throw .of(.wrongKey, path: path)
      case .keyIsUnneeded: throw .of(.notEncrypted, path: path)
      case .journalIsMissing: throw journalIsMissing(location)
      }
    }
  }

  /// The error of a damaged file, which has to be salvaged before it can be converted.
  static func damaged(_ location: FileLocation, _ fault: String) -> StorageError {
    let message = StorageError.damageMessage(path: location.path, fault)
    return StorageError(
      .invalidDatabase, path: location.path,
      message:
        "\(message) It has an earlier format, and is not converted: copy what is sound with 'realm salvage' of the version that wrote it."
    )
  }

  private static func unsupported(_ location: FileLocation, _ format: UInt32) -> StorageError {
    let reason =
      format < FileFormat.version
      ? "has an unsupported format (\(format)) and cannot be upgraded."
      : "was written by a newer version and cannot be opened."
    return StorageError(
      .unsupportedFormat, path: location.path, message: "The Realm file at path '\(location.path)' \(reason)")
  }

  private static func journalIsMissing(_ location: FileLocation) -> StorageError {
    StorageError(
      .unrecovered, path: location.path,
      message:
        "Failed to open Realm file at path '\(location.path)': the system has failed while it was written, or it was copied while a process had it open, and its journal '\(location.journalPath)' is missing, without which the newest commits are not whole. Put the journal beside the file, or copy what is sound with 'realm salvage' of the version that wrote it."
    )
  }

  /// The error where a program with an earlier version uses the file.
  static func inUse(_ location: FileLocation) -> StorageError {
    StorageError(
      .access, path: location.path,
      message:
        "Failed to open Realm file at path '\(location.path)': it has an earlier format, and a program with an earlier version of OpenRealm has it open: close the other program, then open the file again, which converts it."
    )
  }

  /// The error of a large file that is opened for reading only.
  static func tooLarge(_ location: FileLocation, size: Int) -> StorageError {
    StorageError(
      .unsupportedFormat, path: location.path,
      message:
        "Failed to open Realm file at path '\(location.path)': it has an earlier format, and with \(size) bytes is too large to be converted each time it is opened for reading only: open it once for writing, which converts it."
    )
  }
}
