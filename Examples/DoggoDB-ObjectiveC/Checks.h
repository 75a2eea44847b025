// What the pages have in common: the file, and checks of what an operation left in it.
#import "Models.h"

// The pages of the documentation, each in a file of its name.
void create(void);
void readObjects(void);
void update(void);
void delete(void);
void writes(void);
void relationships(void);
void migrations(void);
void react(void);

extern NSString *folder;
// Numbers of checks since the beginning of the page, and of failed checks since the beginning of the program.
extern int checkCount, failureCount;

// The configuration of a file in the folder, with all classes of the program.
RLMRealmConfiguration *configurationOf(NSString *fileName);
// Opens dogs.realm.
RLMRealm *openDogs(void);
// Opens dogs.realm and deletes all objects, so that a page begins with an empty file.
RLMRealm *openEmptied(void);
// Opens dogs.realm on another thread, which reads the newest version in the file, and returns what the block returns.
BOOL leftInFile(BOOL (^condition)(RLMRealm *file));
// Runs the run loop until the condition holds, for at most 30 seconds. Returns whether it holds.
BOOL waitUntil(BOOL (^condition)(void));
// Runs the run loop for a fifth of a second, so that notifications are delivered that must not come.
void runLoopForAWhile(void);
// Values of a property of the objects, in ascending order.
NSArray *sortedValues(id<NSFastEnumeration> objects, NSString *key);

void expect(BOOL holds, const char *text, const char *file, int line);
BOOL isRefused(NSString *reason, void (^block)(void));

// The condition holds on this thread.
#define HOLDS(...) expect((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
// The condition holds for the realm `file`, which another thread has opened. Objects of this thread are not to be used.
#define LEFT(...) \
  expect(leftInFile(^BOOL(RLMRealm * file) { return (__VA_ARGS__); }), #__VA_ARGS__, __FILE__, __LINE__)
// The statement throws an exception whose reason contains the text.
#define REFUSED(REASON, ...) \
  expect(isRefused((REASON), ^{ __VA_ARGS__; }), "refused: " #__VA_ARGS__, __FILE__, __LINE__)
