#import <Realm/RLMConstants.h>

// One key of an order.
@interface RLMSortDescriptor : NSObject
@property(nonatomic, readonly) NSString *keyPath;
@property(nonatomic, readonly) BOOL ascending;
+ (instancetype)sortDescriptorWithKeyPath:(NSString *)keyPath ascending:(BOOL)ascending;
- (instancetype)reversedSortDescriptor;
@end
