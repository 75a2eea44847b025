// The module that programs import for the names which the official SDK has from Objective-C. It adds nothing else to
// `RealmSwift`, which it exports as a whole. In files that import it, `Realm` is the class of `RealmSwift`, as in the
// official SDK: a declaration comes before a module of its name. So `Realm.Configuration` and `Realm.Error` need nothing more.
@_exported public import RealmSwift
