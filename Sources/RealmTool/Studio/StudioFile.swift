import Dispatch
import Foundation
import RealmSwift
import Storage

/// The open file of a session: the realm, its views, and the observers that notify clients of changes.
///
/// Confined to the queue of the session.
final class StudioFile {
  let numbered: NumberedRealm
  let views: StudioViews
  private let path: String
  private let place: FilePlace
  private let queue: DispatchQueue
  private let clients: StudioClients
  private var token: NotificationToken?
  private var timer: (any DispatchSourceTimer)?
  private var fileEvents: EventPace?
  /// The requests for the writer lock by the number of the write, until it runs or fails.
  private var writerLocks: [Int: WriteRequest] = [:]

  /// Minimum time between two events about the file, in seconds.
  private static let fileInterval = 0.25
  /// Interval at which the file's identity is checked, in seconds.
  private static let identityInterval = 0.5

  /// - Throws: `ToolError` when the file cannot be opened.
  init(path: String, key: [UInt8]?, _ queue: DispatchQueue, _ clients: StudioClients) throws {
    self.path = path
    self.queue = queue
    self.clients = clients
    place = FilePlace(path)
    numbered = try Self.realm(path: path, key: key, queue)
    views = StudioViews(numbered, queue, clients)
    try observe()
  }

  /// Opens the realm of a file for a queue, on which the caller has to be.
  ///
  /// - Throws: `ToolError` when the file cannot be opened.
  static func realm(path: String, key: [UInt8]?, _ queue: DispatchQueue) throws -> NumberedRealm {
    try RealmFile.explaining(path) {
      let configuration = Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), encryptionKey: key.map { Data($0) }, schema: .ofFile)
      return NumberedRealm(try Realm(configuration: configuration, queue: queue))
    }
  }

  private func observe() throws {
    fileEvents = EventPace(queue, interval: Self.fileInterval) { [weak self] in self?.sendFileEvent() }
    token = try numbered.observe { [weak self] _ in
      guard let self else { return }
      fileEvents?.request()
      views.versionChanged()
    }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + Self.identityInterval, repeating: Self.identityInterval)
    timer.setEventHandler { [weak self] in self?.checkIdentity() }
    timer.resume()
    self.timer = timer
  }

  /// Ends everything that holds the file.
  func close() {
    for lock in writerLocks.values { lock.cancel() }
    writerLocks = [:]
    views.close()
    token?.invalidate()
    token = nil
    timer?.cancel()
    timer = nil
    fileEvents = nil
  }

  // MARK: The writer lock

  /// Requests the writer lock for a write. `granted` is called on any thread.
  func requestWriting(_ number: Int, _ granted: @escaping @Sendable () -> Void) throws {
    writerLocks[number] = try numbered.requestWriting(granted)
  }

  /// Returns the lock of a write, which the caller has to take or to cancel; nil when the file was closed meanwhile.
  func removeRequest(_ number: Int) -> WriteRequest? { writerLocks.removeValue(forKey: number) }

  // MARK: Versions

  /// Moves to the newest version.
  func refresh() throws {
    if try numbered.isWriting() { return }
    _ = try numbered.refresh()
  }

  private func sendFileEvent() {
    if clients.count == 0 { return }
    let snapshot = numbered.realm.storedVersion
    var bytes: [UInt8] = []
    bytes.append("{\"version\":\(snapshot.version),\"counts\":{")
    var isFirst = true
    for (number, description) in snapshot.catalogue.tables.enumerated() where !description.isRemoved {
      if !isFirst { bytes.append(",") }
      isFirst = false
      bytes.appendJSON(description.name)
      bytes.append(":\(snapshot.liveCount(table: number))")
    }
    bytes.append("}}")
    clients.send("file", bytes)
  }

  private func checkIdentity() {
    guard let change = place.change(advice: "start realm studio again to see that one.") else { return }
    timer?.cancel()
    timer = nil
    var bytes: [UInt8] = []
    bytes.append("{\"message\":")
    bytes.appendJSON(change)
    bytes.append("}")
    clients.send("gone", bytes)
  }
}
