/// W19: what the file after W1 takes of the disk.
struct SizeWorkload {
  let types: [any MeasuredDatabase.Type]
  let files: FileStore

  func run() throws -> (measurement: Measurement, note: String) {
    var measurement = Measurement(
      work: "W19", title: "size after W1", unit: .bytes, target: .ratio(0.6))
    var lengths: [String] = []
    for type in types {
      let size = try FileSize(path: files.fileAfterInsert(for: type))
      measurement.figures[type.system] = Double(size.allocated)
      lengths.append("\(type.system.rawValue) \(size.length)")
    }
    let note = "W19 counts allocated blocks; the lengths in bytes are: \(lengths.joined(separator: ", "))."
    return (measurement, note)
  }
}
