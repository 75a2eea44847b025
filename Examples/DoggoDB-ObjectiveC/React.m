// React to changes: notifications of realms, collections and objects on the run loop, and key-value observing.
#import "Checks.h"

@interface Watcher : NSObject {
@public
  int count;
}
@end
@implementation Watcher
- (void)observeValueForKeyPath:(NSString *)path
                      ofObject:(id)object
                        change:(NSDictionary *)change
                       context:(void *)context {
  count++;
}
@end

static Dog *rexIn(RLMRealm *realm) { return [Dog objectsInRealm:realm where:@"name == 'Rex'"].firstObject; }

static void ofARealm(RLMRealm *realm) {
  __block int count = 0;
  RLMNotificationToken *token = [realm addNotificationBlock:^(RLMNotification notification, RLMRealm *notified) {
    count += [notification isEqual:RLMRealmDidChangeNotification];
  }];
  [realm transactionWithBlock:^{ [Dog createInRealm:realm withValue:@{@"name" : @"Rex", @"age" : @1}]; }];
  HOLDS(waitUntil(^BOOL { return count == 1; }));
  LEFT(rexIn(file).age == 1);
  [token invalidate];
  [realm transactionWithBlock:^{ rexIn(realm).age = 2; }];
  runLoopForAWhile();
  HOLDS(count == 1);
  LEFT(rexIn(file).age == 2);
}

static void ofACollection(RLMRealm *realm) {
  __block int initial = 0, changes = 0;
  __block NSUInteger inserted = 0, modified = 0, deleted = 0;
  RLMResults<Dog *> *young = [Dog objectsInRealm:realm where:@"age < 5"];
  RLMNotificationToken *token =
      [young addNotificationBlock:^(RLMResults *results, RLMCollectionChange *change, NSError *error) {
        if (!change) {
          initial++;
          return;
        }
        changes++;
        inserted += change.insertions.count;
        modified += change.modifications.count;
        deleted += change.deletions.count;
      }];
  HOLDS(waitUntil(^BOOL { return initial == 1; }));
  // A commit of another thread.
  HOLDS(leftInFile(^BOOL(RLMRealm *other) {
    [other transactionWithBlock:^{
      for (int i = 0; i < 8; i++) [Dog createInRealm:other withValue:@{@"name" : @"Pup", @"age" : @(i)}];
    }];
    return YES;
  }));
  HOLDS(waitUntil(^BOOL { return changes == 1; }));
  HOLDS(inserted == 5 && young.count == 6);
  [realm transactionWithBlock:^{
    rexIn(realm).color = @"red";
    [realm deleteObjects:[young objectsWhere:@"name == 'Pup' AND age < 2"]];
  }];
  HOLDS(waitUntil(^BOOL { return changes == 2; }));
  HOLDS(modified == 1 && deleted == 2);
  LEFT([Dog allObjectsInRealm:file].count == 7 && [rexIn(file).color isEqual:@"red"]);
  // The block is not notified of a commit that names its token.
  [realm transactionWithoutNotifying:@[ token ] block:^{ rexIn(realm).color = @"blue"; }];
  runLoopForAWhile();
  HOLDS(changes == 2);
  LEFT([rexIn(file).color isEqual:@"blue"]);
  [token invalidate];
}

static void ofKeyPaths(RLMRealm *realm) {
  __block int initial = 0, changes = 0;
  RLMNotificationToken *token = [[Dog allObjectsInRealm:realm]
      addNotificationBlock:^(RLMResults *results, RLMCollectionChange *change, NSError *error) {
        if (change)
          changes++;
        else
          initial++;
      }
                  keyPaths:@[ @"favoriteToy.name" ]];
  HOLDS(waitUntil(^BOOL { return initial == 1; }));
  [realm transactionWithBlock:^{ rexIn(realm).color = @"green"; }];
  runLoopForAWhile();
  HOLDS(changes == 0);
  LEFT([rexIn(file).color isEqual:@"green"]);
  [realm transactionWithBlock:^{ rexIn(realm).favoriteToy = [Toy createInRealm:realm withValue:@[ @"Ball" ]]; }];
  HOLDS(waitUntil(^BOOL { return changes == 1; }));
  [realm transactionWithBlock:^{ rexIn(realm).favoriteToy.name = @"Bone"; }];
  HOLDS(waitUntil(^BOOL { return changes == 2; }));
  LEFT([rexIn(file).favoriteToy.name isEqual:@"Bone"]);
  [token invalidate];
}

static void ofAnObject(RLMRealm *realm) {
  __block NSMutableDictionary *values = AUTORELEASE([[NSMutableDictionary alloc] init]);
  __block int calls = 0;
  __block BOOL isDeleted = NO;
  Dog *rex = rexIn(realm);
  RLMNotificationToken *token =
      [rex addNotificationBlock:^(BOOL deleted, NSArray<RLMPropertyChange *> *changes, NSError *error) {
        calls++;
        isDeleted = deleted;
        for (RLMPropertyChange *change in changes) [values setObject:change.value forKey:change.name];
      }];
  [realm transactionWithBlock:^{
    rex.age = 3;
    rex.color = @"grey";
  }];
  HOLDS(waitUntil(^BOOL { return calls == 1; }));
  HOLDS([values isEqual:@{@"age" : @3, @"color" : @"grey"}]);
  LEFT(rexIn(file).age == 3 && [rexIn(file).color isEqual:@"grey"]);
  [realm transactionWithBlock:^{ [realm deleteObject:rex]; }];
  HOLDS(waitUntil(^BOOL { return isDeleted; }));
  LEFT(rexIn(file) == nil);
  [token invalidate];
}

static void ofAListAndADictionary(RLMRealm *realm) {
  __block Person *ann = nil;
  [realm transactionWithBlock:^{
    ann = [Person createInRealm:realm
                      withValue:@{@"_id" : @1, @"name" : @"Ann", @"dogs" : @[ @{@"name" : @"Ida"} ]}];
  }];
  Dog *ida = ann.dogs[0];
  __block int initial = 0;
  __block NSUInteger inserted = 0, keys = 0;
  RLMNotificationToken *ofList =
      [ann.dogs addNotificationBlock:^(RLMArray *list, RLMCollectionChange *change, NSError *error) {
        if (!change) initial++;
        inserted += change.insertions.count;
      }];
  RLMNotificationToken *ofDictionary =
      [ida.parks addNotificationBlock:^(RLMDictionary *parks, RLMDictionaryChange *change, NSError *error) {
        if (!change) initial++;
        keys += change.insertions.count;
      }];
  HOLDS(waitUntil(^BOOL { return initial == 2; }));
  [realm transactionWithBlock:^{
    [ann.dogs addObject:ida];
    ida.parks[@"Rome"] = @"Pincio";
  }];
  HOLDS(waitUntil(^BOOL { return inserted == 1 && keys == 1; }));
  LEFT([Person objectInRealm:file forPrimaryKey:@1].dogs.count == 2);
  LEFT([[Person objectInRealm:file forPrimaryKey:@1].dogs[0].parks.allKeys isEqual:@[ @"Rome" ]]);
  [ofList invalidate];
  [ofDictionary invalidate];
}

static void byKeyValueObserving(RLMRealm *realm) {
  Watcher *watcher = AUTORELEASE([[Watcher alloc] init]);
  Dog *ida = [Person objectInRealm:realm forPrimaryKey:@1].dogs[0];
  [ida addObserver:watcher forKeyPath:@"age" options:NSKeyValueObservingOptionNew context:NULL];
  [realm transactionWithBlock:^{ ida.age = 6; }];
  HOLDS(watcher->count == 1);
  LEFT([Dog objectsInRealm:file where:@"name == 'Ida' AND age == 6"].count == 1);
  [ida removeObserver:watcher forKeyPath:@"age"];
  [realm transactionWithBlock:^{ ida.age = 7; }];
  HOLDS(watcher->count == 1);
  LEFT([Dog objectsInRealm:file where:@"name == 'Ida' AND age == 7"].count == 1);
}

void react(void) {
  RLMRealm *realm = openEmptied();
  ofARealm(realm);
  ofACollection(realm);
  ofKeyPaths(realm);
  ofAnObject(realm);
  ofAListAndADictionary(realm);
  byKeyValueObserving(realm);
}
