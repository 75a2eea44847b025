import CDispatch
import Dispatch
import Foundation
import SwiftRuntime

/// What runs right now.
enum CurrentPlace {
  /// Whether this is the main thread, or a thread that serves the main queue at present.
  static var isMain: Bool { Thread.isMainThread || QueuePlace.main.isCurrent }

  /// As messages name it.
  static var text: String {
    if isMain { return "the main thread" }
    if let actor = ActorExecutor.current { return "the actor '\(type(of: actor))'" }
    let thread = ThreadPlace.current.description
    let label = String(cString: dispatch_queue_get_label(nil))
    return label.isEmpty || label.hasPrefix("Swift global") || label.hasPrefix("com.apple.root.")
      ? thread : "the queue '\(label)'"
  }
}
