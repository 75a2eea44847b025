#import <Foundation/Foundation.h>

@protocol Named <NSObject>
@property(readonly) NSString *name;
@optional
- (NSString *)nickname;
@end

@protocol Counted <Named>
- (int)count;
@end

@interface Base : NSObject {
@public
  int first;
  double second;
}
@property NSString *name;
@end

@interface Middle : Base <Counted> {
@public
  char third;
  long fourth;
}
@end

@interface Top : Middle {
@public
  short fifth;
}
@end

@interface Base (Additions) <Named>
- (NSString *)nickname;
@end
