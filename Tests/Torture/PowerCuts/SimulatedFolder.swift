import Foundation
import TestSupport

/// What a disk may have of a folder when the power fails: what is in its files, and which file has which name.
///
/// Names are changed one by one and in any order, until a synchronisation of the folder says that the disk has them.
struct SimulatedFolder {
  private let path: String
  /// Files by a number of their own: the system gives the number of one that is gone to another one.
  private var disks: [SimulatedDisk] = []
  private var places: [UInt32: Int] = [:]
  /// The folder itself.
  private var number: UInt32?

  private struct Name {
    /// The file that it surely led to on the disk, and those that it has led to since.
    var files: [Int?] = [nil]
    var sequences: [UInt64] = [0]

    mutating func become(_ file: Int?, _ sequence: UInt64) {
      files.append(file)
      sequences.append(sequence)
    }
  }

  private var names: [String: Name] = [:]

  init(path: String) { self.path = path }

  mutating func apply(_ entry: WriteRecord.Entry) {
    switch entry.event {
    case .open(let path, let isNew): open(path, isNew: isNew, entry)
    case .rename(let old, let new):
      names[new, default: Name()].become(names[old]?.files.last ?? nil, entry.sequence)
      names[old, default: Name()].become(nil, entry.sequence)
    case .unlink(let path): names[path, default: Name()].become(nil, entry.sequence)
    case .synchronised(let since) where entry.file == number: settle(before: since)
    default:
      if let place = places[entry.file] { disks[place].apply(entry) }
    }
  }

  private mutating func open(_ path: String, isNew: Bool, _ entry: WriteRecord.Entry) {
    if path == self.path {
      number = entry.file
    } else if isNew {
      places[entry.file] = disks.count
      names[path, default: Name()].become(disks.count, entry.sequence)
      disks.append(SimulatedDisk())
    }
  }

  private mutating func settle(before sequence: UInt64) {
    for path in names.keys {
      guard let newest = names[path]!.sequences.lastIndex(where: { $0 < sequence }) else { continue }
      names[path]!.files.removeFirst(newest)
      names[path]!.sequences.removeFirst(newest)
    }
  }

  /// What is found at a path when the power fails now; nil when that is nothing.
  func image(
    of path: String, _ temper: SimulatedDisk.Temper, _ random: inout SeededGenerator
  ) -> [UInt8]? {
    guard let file = names[path]?.files.randomElement(using: &random) ?? nil else { return nil }
    return disks[file].image(temper, &random)
  }
}
