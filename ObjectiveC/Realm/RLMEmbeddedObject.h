#import <Realm/RLMObjectBase.h>

// The superclass of classes whose objects belong to one other object, with which they are deleted.
@interface RLMEmbeddedObject : RLMObjectBase
- (RLMNotificationToken *)addNotificationBlock:(RLMObjectChangeBlock)block;
- (RLMNotificationToken *)addNotificationBlock:(RLMObjectChangeBlock)block
                                      keyPaths:(NSArray<NSString *> *)keyPaths;
@end
