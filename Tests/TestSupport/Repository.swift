public import Foundation

/// Where the sources of this program are.
public enum Repository {
  /// The folder that Package.swift is in.
  public static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
}
