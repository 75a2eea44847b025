extension ValueType {
  /// The physical layout of the type's values in a chunk.
  @inlinable package var layout: ChunkLayout {
    switch self {
    case .int, .link: .integer
    case .bool: .bits
    case .float: .float
    case .double, .date: .double
    case .objectId: .fixed12
    case .decimal128, .uuid: .fixed16
    case .string, .data, .mixed: .bytes
    }
  }
}
