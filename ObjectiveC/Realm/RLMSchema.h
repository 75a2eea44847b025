#import <Realm/RLMConstants.h>

@class RLMObjectSchema;

// The classes of a realm.
@interface RLMSchema : NSObject <NSCopying>
@property(nonatomic, readonly) NSArray<RLMObjectSchema *> *objectSchema;
// All classes of the program that are not left out by `shouldIncludeInDefaultSchema`.
+ (instancetype)sharedSchema;
- (RLMObjectSchema *)schemaForClassName:(NSString *)className;
- (RLMObjectSchema *)objectForKeyedSubscript:(NSString *)className;
- (BOOL)isEqualToSchema:(RLMSchema *)schema;
@end
