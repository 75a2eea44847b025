import Foundation

/// All dogs as JSON. It is longer than the dogs are, and so is made when it is needed, in the form that a system takes.
final class JSONText {
  private let dataset: Dataset
  /// An object a line.
  private(set) lazy var lines = Data((0..<dataset.count).map(object).joined(separator: "\n").utf8)
  /// The same, each for itself.
  private(set) lazy var separateLines = (0..<dataset.count).map { Data(object($0).utf8) }
  /// One array of all the objects.
  private(set) lazy var array = Array(
    "[\((0..<dataset.count).map(object).joined(separator: ","))]".utf8CString)

  init(_ dataset: Dataset) { self.dataset = dataset }

  private func object(_ id: Int) -> String {
    """
    {"id":\(id),"name":"\(dataset.names[id])","age":\(dataset.ages[id]),\
    "color":"\(DogGenerator.colors[Int(dataset.colors[id])])","weight":\(dataset.weights[id]),\
    "born":\(dataset.born[id]),"vaccinated":\(dataset.vaccinated[id])}
    """
  }
}
