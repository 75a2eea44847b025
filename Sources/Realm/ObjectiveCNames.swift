public import RealmSwift

// MARK: Realms

/// The name of `Realm` in Objective-C.
public typealias RLMRealm = RealmSwift.Realm
/// The name of `Realm.Configuration` in Objective-C.
public typealias RLMRealmConfiguration = RealmSwift.Realm.Configuration
/// The name of `Realm.UpdatePolicy` in Objective-C.
public typealias RLMUpdatePolicy = RealmSwift.Realm.UpdatePolicy
/// The name of `Realm.Error` in Objective-C.
public typealias RLMError = RealmSwift.Realm.Error
/// The name of `Realm.Notification` in Objective-C.
public typealias RLMNotification = RealmSwift.Realm.Notification
/// The name of `Migration` in Objective-C.
public typealias RLMMigration = Migration
/// The name of `MigrationBlock` in Objective-C.
public typealias RLMMigrationBlock = MigrationBlock
/// The name of `NotificationToken` in Objective-C.
public typealias RLMNotificationToken = NotificationToken
/// The name of `Logger` in Objective-C.
public typealias RLMLogger = Logger
/// The name of `LogLevel` in Objective-C.
public typealias RLMLogLevel = LogLevel

// MARK: Objects

/// The name of `ObjectBase` in Objective-C.
public typealias RLMObjectBase = ObjectBase
/// The name of `Object` in Objective-C.
public typealias RLMObject = Object
/// The name of `EmbeddedObject` in Objective-C.
public typealias RLMEmbeddedObject = EmbeddedObject
/// The name of `AsymmetricObject` in Objective-C.
public typealias RLMAsymmetricObject = AsymmetricObject
/// The name of `DynamicObject` in Objective-C.
public typealias RLMDynamicObject = DynamicObject
/// The name of `PropertyChange` in Objective-C.
public typealias RLMPropertyChange = PropertyChange

// MARK: Values

/// The name of `ObjectId` in Objective-C.
public typealias RLMObjectId = ObjectId
/// The name of `Decimal128` in Objective-C.
public typealias RLMDecimal128 = Decimal128

// MARK: Collections

/// The name of `Results` in Objective-C.
public typealias RLMResults<Element: RealmCollectionValue> = Results<Element>
/// The name of `List` in Objective-C.
public typealias RLMArray<Element: RealmCollectionValue> = List<Element>
/// The name of `MutableSet` in Objective-C.
public typealias RLMSet<Element: RealmCollectionValue> = MutableSet<Element>
/// The name of `Map` in Objective-C.
public typealias RLMDictionary<Key: _MapKey, Value: RealmCollectionValue> = Map<Key, Value>
/// The name of `LinkingObjects` in Objective-C.
public typealias RLMLinkingObjects<Element: ObjectBase & RealmCollectionValue> = LinkingObjects<Element>
/// The name of `RealmCollection` in Objective-C.
public typealias RLMCollection = RealmCollection
/// The name of `SortDescriptor` in Objective-C.
public typealias RLMSortDescriptor = RealmSwift.SortDescriptor
/// The name of `SectionedResults` in Objective-C.
public typealias RLMSectionedResults<Key: _Persistable & Hashable, Element: RealmCollectionValue> =
  SectionedResults<Key, Element>

// MARK: Threads

/// The name of `ThreadConfined` in Objective-C.
public typealias RLMThreadConfined = ThreadConfined
/// The name of `ThreadSafeReference` in Objective-C.
public typealias RLMThreadSafeReference<Confined: ThreadConfined> = ThreadSafeReference<Confined>

// MARK: Schemas

/// The name of `Schema` in Objective-C.
public typealias RLMSchema = RealmSwift.Schema
/// The name of `ObjectSchema` in Objective-C.
public typealias RLMObjectSchema = ObjectSchema
/// The name of `Property` in Objective-C.
public typealias RLMProperty = Property
/// The name of `PropertyType` in Objective-C.
public typealias RLMPropertyType = PropertyType

// MARK: Constants

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The domain of the library's errors as `NSError`s.
public let RLMErrorDomain = RealmSwift.Realm.Error.errorDomain
