import COpenRealm
import LibC
import RealmSwift

// notifications.h: what has changed, as C has it.

extension openrealm_object_change {
  /// Calls a closure with the change of an object as C has it, which is valid only there; nil for a deleted object.
  static func with(_ change: NumberedObjectChange?, _ body: (UnsafePointer<openrealm_object_change>) -> Void)
  {
    var place = openrealm_object_change()
    guard let change else {
      place.is_deleted = true
      return body(&place)
    }
    // What there is no memory for is null.
    var values = (change.oldValues ?? []).map { (try? openrealm_value($0)) ?? .null }
    defer { for index in values.indices { openrealm_value_clear(&values[index]) } }
    let names = change.backlinks.map { UnsafePointer(strdup($0)) ?? emptyText }
    defer { for name in names where name != emptyText { free(UnsafeMutablePointer(mutating: name)) } }
    place.property_count = change.properties.count
    place.backlink_count = names.count
    change.properties.map { Int32($0) }.withUnsafeBufferPointer { numbers in
      place.properties = numbers.baseAddress
      values.withUnsafeBufferPointer { values in
        place.old_values = change.oldValues == nil || values.isEmpty ? nil : values.baseAddress
        names.map { Optional($0) }.withUnsafeBufferPointer { names in
          place.backlinks = names.isEmpty ? nil : names.baseAddress
          body(&place)
        }
      }
    }
  }
}

extension openrealm_changes {
  /// Calls a closure with the changes as C has them, which are valid only there.
  static func with(_ changes: NumberedChanges, _ body: (UnsafePointer<openrealm_changes>) -> Void) {
    var place = openrealm_changes()
    place.is_initial = changes.isInitial
    place.is_deleted = changes.isDeleted
    place.deletion_count = changes.deletions.count
    place.insertion_count = changes.insertions.count
    place.modification_count = changes.oldModifications.count
    changes.deletions.withUnsafeBufferPointer { deletions in
      place.deletions = deletions.baseAddress
      changes.insertions.withUnsafeBufferPointer { insertions in
        place.insertions = insertions.baseAddress
        changes.oldModifications.withUnsafeBufferPointer { old in
          place.old_modifications = old.baseAddress
          changes.newModifications.withUnsafeBufferPointer { new in
            place.new_modifications = new.baseAddress
            withKeys(changes, &place, body)
          }
        }
      }
    }
  }

  private static func withKeys(
    _ changes: NumberedChanges, _ place: inout openrealm_changes,
    _ body: (UnsafePointer<openrealm_changes>) -> Void
  ) {
    let keys = changes.deletedKeys + changes.insertedKeys + changes.modifiedKeys
    if keys.isEmpty { return body(&place) }
    var texts: [UInt8] = []
    var sizes: [Int] = []
    for key in keys {
      texts += key.utf8
      sizes.append(key.utf8.count)
    }
    // So that there is an address even if all keys are empty.
    texts.append(0)
    texts.withUnsafeBytes { texts in
      var start = texts.baseAddress!.assumingMemoryBound(to: CChar.self)
      let bytes = sizes.map { size in
        defer { start += size }
        return openrealm_bytes(bytes: start, size: size)
      }
      bytes.withUnsafeBufferPointer { bytes in
        let first = bytes.baseAddress!
        place.deleted_keys = first
        place.inserted_keys = first + changes.deletedKeys.count
        place.modified_keys = first + changes.deletedKeys.count + changes.insertedKeys.count
        body(&place)
      }
    }
  }
}
