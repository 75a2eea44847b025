import RealmSwift
import Storage

/// A file and its classes as `/api/file` describes them.
struct FileDescription {
  private let session: StudioSession
  private let snapshot: Snapshot

  init(_ session: StudioSession, _ snapshot: Snapshot) {
    self.session = session
    self.snapshot = snapshot
  }

  var json: [UInt8] {
    get throws {
      var bytes = Array("{\"name\":".utf8)
      bytes.appendJSON(session.path.split(separator: "/").last.map(String.init) ?? session.path)
      bytes.append(",\"writable\":\(session.isWritable),\"encrypted\":\(session.key != nil)")
      bytes.append(",\"version\":\(snapshot.version),\"schemaVersion\":\(snapshot.catalogue.schemaVersion)")
      bytes.append(",\"size\":\(StudioRoute.size(session.path)),\"classes\":")
      bytes.appendArray(ClassReader.all(in: snapshot)) { append($0, to: &$1) }
      return bytes + Array("}".utf8)
    }
  }

  private func append(_ reader: ClassReader, to bytes: inout [UInt8]) {
    let description = reader.description
    bytes.append("{\"name\":")
    bytes.appendJSON(reader.name)
    bytes.append(",\"embedded\":\(reader.isEmbedded),\"count\":\(reader.count),\"primaryKey\":")
    bytes.append(numbers: description.compositeKey?.columns ?? description.primaryKey.map { [$0] } ?? [])
    bytes.append(",\"rules\":")
    bytes.appendArray(rules(reader)) { rule, bytes in
      bytes.append("{\"kind\":\"\(rule.kind)\",\"properties\":")
      bytes.append(numbers: rule.properties)
      bytes.append("}")
    }
    bytes.append(",\"properties\":")
    bytes.appendArray(reader.columns) { append($0, reader.column($0), to: &$1) }
    bytes.append("}")
  }

  private func rules(_ reader: ClassReader) -> [(kind: String, properties: [Int])] {
    var rules: [(kind: String, properties: [Int])] = []
    for number in reader.columns {
      let column = reader.column(number)
      if column.isSequence { rules.append(("sequence", [number])) }
      if column.isUnique { rules.append(("unique", [number])) }
      if column.linkRule != .nullify { rules.append((TypeNames.name(column.linkRule), [number])) }
    }
    for index in reader.description.indexes where index.kind != .primaryKey {
      rules.append((index.kind == .unique ? "unique" : "index", index.columns))
    }
    return rules
  }

  private func append(_ number: Int, _ column: Column, to bytes: inout [UInt8]) {
    bytes.append("{\"number\":\(number),\"name\":")
    bytes.appendJSON(column.name)
    bytes.append(",\"type\":\"\(TypeNames.name(column.type))\"")
    bytes.append(",\"collection\":\"\(TypeNames.name(column.collection) ?? "none")\"")
    bytes.append(",\"optional\":\(column.isDeclaredOptional),\"target\":")
    bytes.appendJSON(orNull: column.target >= 0 ? snapshot.catalogue.tables[column.target].name : nil)
    bytes.append(
      ",\"index\":\"\(column.isFullText ? "fullText" : column.hasValueIndex ? "general" : "none")\"")
    bytes.append(",\"deleteRule\":")
    bytes.append(column.isLink ? "\"\(TypeNames.name(column.linkRule))\"" : "null")
    bytes.append("}")
  }
}
