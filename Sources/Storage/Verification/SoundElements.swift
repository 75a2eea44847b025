/// The elements of a collection that are left.
struct SoundElements {
  let isMap: Bool
  /// Whether they are collected, or only counted as visited.
  let isWanted: Bool
  private var values: [(position: Int, value: Value)] = []
  private var keyOfPosition: [Int: String] = [:]

  init(isMap: Bool, isWanted: Bool) {
    self.isMap = isMap
    self.isWanted = isWanted
  }

  mutating func add(_ value: Value, at position: Int) { values.append((position, value)) }

  mutating func add(keys chunk: Chunk, from first: Int) {
    if !isWanted { return }
    for index in 0..<chunk.count {
      if let bytes = chunk.bytes(index) {
        keyOfPosition[first + index] = String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  private var entries: [(position: Int, value: Value)] {
    isMap ? values.filter { keyOfPosition[$0.position] != nil } : values
  }
  var elements: [Value] { entries.map(\.value) }
  /// Nil when it is no map.
  var keys: [String]? { isMap ? entries.map { keyOfPosition[$0.position]! } : nil }
}
