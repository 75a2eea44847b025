package import Storage

/// What a session keeps in the realm file: its registration, what the server has of the file, and what the file has of it.
///
/// It is stored in the same transaction as the data that it describes, so that the two cannot contradict each other.
package struct SessionState: Sendable, Hashable {
  /// A key of a class.
  package struct ObjectName: Sendable, Hashable {
    package var className: String
    package var key: ExactValue

    package init(_ className: String, _ key: Value) {
      self.className = className
      self.key = ExactValue(key)
    }
  }

  /// A version that the server had at some time.
  package struct Mark: Sendable, Hashable {
    /// By the server's clock, in milliseconds since 1970.
    package var time: Int64
    package var version: UInt64

    package init(time: Int64, version: UInt64) {
      self.time = time
      self.version = version
    }
  }

  /// The objects of a class that came to synchronisation after the others: they are pending, because nothing that the change
  /// log said of the class was sent before.
  package struct LateClass: Sendable, Hashable {
    package var name: String
    /// The version of the file with which the class came.
    package var version: UInt64
    /// The stamp of the creation of its objects.
    package var stamp: Stamp
    /// The number that all rows of the objects were below.
    package var rowLimit: Int
    /// The version after which the change log has what the server does not have of a class that was synchronised before; nil for
    /// another class, and when the log does not reach back so far.
    package var since: UInt64?

    package init(name: String, version: UInt64, stamp: Stamp, rowLimit: Int, since: UInt64? = nil) {
      self.name = name
      self.version = version
      self.stamp = stamp
      self.rowLimit = rowLimit
      self.since = since
    }
  }

  /// The cursor of a file that has nothing of the server.
  package static let emptyCursor = "1:1:"

  /// The number of this file in `realm.client`; 0 until it is registered.
  package var client: Int64 = 0
  /// The UUID of that row: in another database, the number is that of another client.
  package var token = ""
  /// The device and the inode of the file that was registered, and before that, of the file that was prepared. They differ in a
  /// copy, which is another client.
  package var place = ""
  /// A UUID that copies of the file share which were made before the first contact: the database notes it with the first of them.
  package var nonce = ""
  /// The version at which the file was found to be a copy of one that had not been registered; 0 if it was not.
  package var copiedAt: UInt64 = 0
  /// The version of the file up to which the server has all changes.
  package var acknowledged: UInt64 = 0
  /// The PostgreSQL snapshot whose rows the file has.
  package var cursor = SessionState.emptyCursor
  /// What identifies the history of the database; empty until the first contact.
  package var history = ""
  /// A version at which nothing was pending, so that the change log before it need not be read again.
  package var scanned: UInt64 = 0
  /// The version from which on the change log has all that may be pending.
  package var baseline: UInt64 = 0
  /// The stamp of everything that was in the file at the baseline.
  package var baselineStamp = Stamp.never
  /// For each class, the number that all its rows were below at the baseline.
  package var baselineRows: [String: Int] = [:]
  /// Classes that were left out when a copy of the file had sent what waits of them, or may have.
  package var copiedClasses: Set<String> = []
  /// What is added to the stamps before a version, in milliseconds: they were made before the server's clock was known.
  package var shift: Int64 = 0
  /// What is added to the stamps up to `copiedAt` instead: what the first copy that was registered adds to them.
  package var copiedShift: Int64 = 0
  /// The first version whose stamps need no correction.
  package var shiftedBefore: UInt64 = 0
  /// Objects that the last pushes did not leave as they were sent, to be read at the next pull.
  package var again: Set<ObjectName> = []
  /// Objects that the server no longer shows to this client; removed as soon as nothing of them is pending.
  package var evictions: Set<ObjectName> = []
  /// Whether the next pull reads everything.
  package var needsFullPull = true
  /// Versions of the last day at which the server had everything, one an hour.
  package var marks: [Mark] = []
  /// For each class that was ever synchronised, the names of its synchronised properties, the key included. A class that is no
  /// longer synchronised has none. Empty in a file of an earlier version.
  package var synced: [String: [String]] = [:]
  /// Classes that came later, whose objects are pending until the server has their versions.
  package var lateClasses: [LateClass] = []
  /// For each class that is no longer synchronised, the version after which the change log has what was not sent of it.
  package var leftClasses: [String: UInt64] = [:]

  package init() {}

  /// How long the log is kept after its changes were acknowledged: a restored server gets them again. In milliseconds.
  static let keptTime: Int64 = 86_400_000

  /// Takes note that the server has everything up to a version.
  ///
  /// - Parameter time: By the server's clock, in milliseconds since 1970.
  package mutating func acknowledge(_ version: UInt64, at time: Int64) {
    acknowledged = max(acknowledged, version)
    mark(version, at: time)
    dropLateClasses()
  }

  /// Takes note that nothing is pending at a version.
  ///
  /// - Parameter time: By the server's clock, in milliseconds since 1970.
  package mutating func noteNothingPending(at version: UInt64, time: Int64) {
    scanned = max(scanned, version)
    mark(version, at: time)
    dropLateClasses()
  }

  /// Takes note that the file has been registered: a server that is restored to the time since then has at least what is
  /// acknowledged now.
  ///
  /// - Parameter time: By the server's clock, in milliseconds since 1970.
  package mutating func noteRegistration(at time: Int64) {
    if marks.isEmpty { marks = [Mark(time: time, version: acknowledged)] }
  }

  /// They are kept as long as the log: a server that is restored to the time before they came gets them again.
  private mutating func dropLateClasses() {
    let bound = restoreBound
    lateClasses.removeAll { $0.version <= bound }
  }

  private mutating func mark(_ version: UInt64, at time: Int64) {
    // Marks of a clock that was ahead for a while would keep the log until their time comes.
    for index in marks.indices where marks[index].time > time { marks[index].time = time }
    if marks.last.map({ time - $0.time >= Self.keptTime / 24 }) ?? true {
      marks.append(Mark(time: time, version: version))
    }
    while marks.count > 1, time - marks[1].time >= Self.keptTime { marks.removeFirst() }
  }

  /// Takes note that the server has lost what came after a version: it is pending again.
  package mutating func regress(to version: UInt64) {
    acknowledged = version
    scanned = 0
    marks.removeAll { $0.version > version }
  }

  /// Returns a stamp of a version as the server's clock would have made it.
  package func corrected(_ stamp: Stamp, version: UInt64) -> Stamp {
    if version >= shiftedBefore { return stamp }
    return Stamp(rawValue: stamp.rawValue + (version <= copiedAt ? copiedShift : shift) << 16)
  }

  func correctedStamp(of entry: SyncEntry) -> Stamp {
    corrected(Stamp(rawValue: Int64(bitPattern: entry.stamp)), version: entry.version)
  }

  /// The stamp of what is pending before the first entry of the log after `startOfPending`; the least if nothing is.
  var stampAtStartOfPending: Stamp {
    startOfPending > baseline ? .never : corrected(baselineStamp, version: 0)
  }

  /// The version after which anything may be pending.
  package var startOfPending: UInt64 { max(acknowledged, scanned, baseline) }

  /// The version after which the change log is needed.
  package var logBound: UInt64 {
    let bound = restoreBound
    return lateClasses.filter { $0.version > bound }.compactMap(\.since).reduce(bound, min)
  }

  /// The version after which anything may be pending, also when the server is restored.
  private var restoreBound: UInt64 { min(startOfPending, marks.first?.version ?? .max) }
}

extension SessionState {
  private static let format: Int64 = 4
  /// Without what copies share before their first contact.
  private static let thirdFormat: Int64 = 3
  /// Also without what the log has of classes that were left out.
  private static let secondFormat: Int64 = 2
  /// Also without the synchronised properties.
  private static let firstFormat: Int64 = 1

  /// Reads what `encoded` wrote; nil for anything else.
  package init?(_ bytes: [UInt8]) {
    var reader = StateReader(bytes)
    guard let format = reader.readInteger(), (Self.firstFormat...Self.format).contains(format),
      let client = reader.readInteger(),
      let acknowledged = reader.readInteger(), let cursor = reader.readText(),
      let history = reader.readText(), let scanned = reader.readInteger(),
      let baseline = reader.readInteger(),
      let baselineStamp = reader.readInteger(),
      let baselineRows = reader.readList({ reader in
        reader.readText().flatMap { name in reader.readInteger().map { (name, Int($0)) } }
      }),
      let shift = reader.readInteger(), let shiftedBefore = reader.readInteger(),
      let again = reader.readList({ $0.readName() }), let evictions = reader.readList({ $0.readName() }),
      let needsFullPull = reader.readInteger(),
      let marks = reader.readList({ reader in
        reader.readInteger().flatMap { time in
          reader.readInteger().map { Mark(time: time, version: UInt64(bitPattern: $0)) }
        }
      })
    else { return nil }
    if format > Self.firstFormat, !readClasses(&reader) { return nil }
    if format > Self.secondFormat, !readLeftClasses(&reader) { return nil }
    if format > Self.thirdFormat, !readCopy(&reader) { return nil }
    guard reader.isAtEnd else { return nil }
    self.client = client
    self.acknowledged = UInt64(bitPattern: acknowledged)
    self.cursor = cursor
    self.history = history
    self.scanned = UInt64(bitPattern: scanned)
    self.baseline = UInt64(bitPattern: baseline)
    self.baselineStamp = Stamp(rawValue: baselineStamp)
    self.baselineRows = Dictionary(baselineRows) { $1 }
    self.shift = shift
    self.shiftedBefore = UInt64(bitPattern: shiftedBefore)
    self.again = Set(again)
    self.evictions = Set(evictions)
    self.needsFullPull = needsFullPull != 0
    self.marks = marks
  }

  private mutating func readClasses(_ reader: inout StateReader) -> Bool {
    guard
      let synced = reader.readList({ reader in
        reader.readText().flatMap { name in reader.readList({ $0.readText() }).map { (name, $0) } }
      }),
      let lateClasses = reader.readList({ reader -> LateClass? in
        guard let name = reader.readText(), let version = reader.readInteger(),
          let stamp = reader.readInteger(), let limit = reader.readInteger()
        else { return nil }
        return LateClass(
          name: name, version: UInt64(bitPattern: version), stamp: Stamp(rawValue: stamp),
          rowLimit: Int(limit))
      })
    else { return false }
    guard let token = reader.readText(), let place = reader.readText() else { return false }
    self.synced = Dictionary(synced) { $1 }
    self.lateClasses = lateClasses
    self.token = token
    self.place = place
    return true
  }

  private mutating func readCopy(_ reader: inout StateReader) -> Bool {
    guard let nonce = reader.readText(), let copiedAt = reader.readInteger(),
      let copiedShift = reader.readInteger(),
      let copiedClasses = reader.readList({ $0.readText() })
    else { return false }
    self.copiedClasses = Set(copiedClasses)
    (self.nonce, self.copiedAt, self.copiedShift) = (nonce, UInt64(bitPattern: copiedAt), copiedShift)
    return true
  }

  private mutating func readLeftClasses(_ reader: inout StateReader) -> Bool {
    func readVersions() -> [(String, UInt64)]? {
      reader.readList { reader in
        reader.readText().flatMap { name in
          reader.readInteger().map { (name, UInt64(bitPattern: $0)) }
        }
      }
    }
    guard let left = readVersions(), let since = readVersions() else { return false }
    leftClasses = Dictionary(left) { $1 }
    let versions = Dictionary(since) { $1 }
    for index in lateClasses.indices { lateClasses[index].since = versions[lateClasses[index].name] }
    return true
  }

  /// The bytes that are stored.
  package var encoded: [UInt8] {
    var writer = StateWriter()
    writer.append(Self.format)
    writer.append(client)
    writer.append(Int64(bitPattern: acknowledged))
    writer.append(cursor)
    writer.append(history)
    writer.append(Int64(bitPattern: scanned))
    writer.append(Int64(bitPattern: baseline))
    writer.append(baselineStamp.rawValue)
    writer.append(baselineRows.sorted { $0.key < $1.key }) {
      $0.append($1.key)
      $0.append(Int64($1.value))
    }
    writer.append(shift)
    writer.append(Int64(bitPattern: shiftedBefore))
    for names in [again, evictions] { writer.append(Array(names)) { $0.append($1) } }
    writer.append(needsFullPull ? 1 : 0)
    writer.append(marks) {
      $0.append($1.time)
      $0.append(Int64(bitPattern: $1.version))
    }
    writer.append(synced.sorted { $0.key < $1.key }) {
      $0.append($1.key)
      $0.append($1.value) { $0.append($1) }
    }
    writer.append(lateClasses) {
      $0.append($1.name)
      $0.append(Int64(bitPattern: $1.version))
      $0.append($1.stamp.rawValue)
      $0.append(Int64($1.rowLimit))
    }
    writer.append(token)
    writer.append(place)
    let since = lateClasses.compactMap { late in late.since.map { (late.name, $0) } }
    for versions in [leftClasses.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, since] {
      writer.append(versions) {
        $0.append($1.0)
        $0.append(Int64(bitPattern: $1.1))
      }
    }
    writer.append(nonce)
    writer.append(Int64(bitPattern: copiedAt))
    writer.append(copiedShift)
    writer.append(copiedClasses.sorted()) { $0.append($1) }
    return writer.bytes
  }
}
