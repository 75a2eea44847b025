// Programs that synchronise import `RealmSync` alone: it exports `RealmSwift` as a whole.
@_exported public import RealmSwift
