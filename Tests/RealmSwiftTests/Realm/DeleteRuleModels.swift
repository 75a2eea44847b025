import RealmSwift

// Links of every kind with every rule.

class RuledNode: Hidden {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""

  @Persisted(onDelete: .nullify) var one0: RuledNode?
  @Persisted(onDelete: .nullify) var list0: List<RuledNode>
  @Persisted(onDelete: .nullify) var set0: MutableSet<RuledNode>
  @Persisted(onDelete: .nullify) var map0: Map<String, RuledNode?>
  @Persisted(onDelete: .nullify) var any0: AnyRealmValue
  @Persisted(onDelete: .nullify) var anyList0: List<AnyRealmValue>
  @Persisted(onDelete: .nullify) var anySet0: MutableSet<AnyRealmValue>
  @Persisted(onDelete: .nullify) var anyMap0: Map<String, AnyRealmValue>

  @Persisted(onDelete: .cascade) var one1: RuledNode?
  @Persisted(onDelete: .cascade) var list1: List<RuledNode>
  @Persisted(onDelete: .cascade) var set1: MutableSet<RuledNode>
  @Persisted(onDelete: .cascade) var map1: Map<String, RuledNode?>
  @Persisted(onDelete: .cascade) var any1: AnyRealmValue
  @Persisted(onDelete: .cascade) var anyList1: List<AnyRealmValue>
  @Persisted(onDelete: .cascade) var anySet1: MutableSet<AnyRealmValue>
  @Persisted(onDelete: .cascade) var anyMap1: Map<String, AnyRealmValue>

  @Persisted(onDelete: .cascadeUnlessShared) var one2: RuledNode?
  @Persisted(onDelete: .cascadeUnlessShared) var list2: List<RuledNode>
  @Persisted(onDelete: .cascadeUnlessShared) var set2: MutableSet<RuledNode>
  @Persisted(onDelete: .cascadeUnlessShared) var map2: Map<String, RuledNode?>
  @Persisted(onDelete: .cascadeUnlessShared) var any2: AnyRealmValue
  @Persisted(onDelete: .cascadeUnlessShared) var anyList2: List<AnyRealmValue>
  @Persisted(onDelete: .cascadeUnlessShared) var anySet2: MutableSet<AnyRealmValue>
  @Persisted(onDelete: .cascadeUnlessShared) var anyMap2: Map<String, AnyRealmValue>

  @Persisted(onDelete: .deny) var one3: RuledNode?
  @Persisted(onDelete: .deny) var list3: List<RuledNode>
  @Persisted(onDelete: .deny) var set3: MutableSet<RuledNode>
  @Persisted(onDelete: .deny) var map3: Map<String, RuledNode?>
  @Persisted(onDelete: .deny) var any3: AnyRealmValue
  @Persisted(onDelete: .deny) var anyList3: List<AnyRealmValue>
  @Persisted(onDelete: .deny) var anySet3: MutableSet<AnyRealmValue>
  @Persisted(onDelete: .deny) var anyMap3: Map<String, AnyRealmValue>

  @Persisted var part: RuledPart?
  @Persisted var parts: List<RuledPart>
  @Persisted(originProperty: "list1") var owners: LinkingObjects<RuledNode>

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

class RuledPart: HiddenEmbedded {
  @Persisted(onDelete: .nullify) var one0: RuledNode?
  @Persisted(onDelete: .cascade) var one1: RuledNode?
  @Persisted(onDelete: .cascadeUnlessShared) var one2: RuledNode?
  @Persisted(onDelete: .deny) var one3: RuledNode?
  @Persisted(onDelete: .cascade) var list1: List<RuledNode>
}

/// Parts in parts.
class RuledWhole: Hidden {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(onDelete: .cascadeUnlessShared) var others: List<RuledWhole>
  @Persisted var parts: Map<String, RuledOuter?>
}

class RuledOuter: HiddenEmbedded {
  @Persisted var inner: List<RuledInner>
  @Persisted(onDelete: .cascade) var owned: RuledWhole?
}

class RuledInner: HiddenEmbedded {
  @Persisted(onDelete: .cascadeUnlessShared) var owned: RuledWhole?
}

// What programs have.

class RuledOwner: Hidden {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted(onDelete: .cascade) var things: List<RuledThing>
  @Persisted(onDelete: .cascadeUnlessShared) var shared: RuledThing?
}

class RuledThing: Hidden {
  @Persisted var name = ""
  @Persisted(onDelete: .deny) var maker: RuledMaker?

  convenience init(_ name: String, maker: RuledMaker? = nil) {
    self.init()
    self.name = name
    self.maker = maker
  }
}

class RuledMaker: Hidden {
  @Persisted(primaryKey: true) var name = ""
}

/// The same classes without rules, or with others.
enum OtherOwners {
  class Plain: Hidden {
    override class func _realmObjectName() -> String? { "RuledOwner" }
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var things: List<RuledThing>
    @Persisted var shared: RuledThing?
  }
  class Loose: Hidden {
    override class func _realmObjectName() -> String? { "RuledOwner" }
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted(onDelete: .nullify) var things: List<RuledThing>
    @Persisted var shared: RuledThing?
  }
  class Renamed: Hidden {
    override class func _realmObjectName() -> String? { "RuledOwner" }
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var belongings: List<RuledThing>
    @Persisted var shared: RuledThing?
  }
}
