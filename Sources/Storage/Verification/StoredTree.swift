/// One of the trees that hold the values of a file.
enum StoredTree: String, CaseIterable {
  case main, columns, collections, indexes, values
}
