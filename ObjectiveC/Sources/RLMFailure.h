// How failures of the C interface become exceptions and errors.
#import <openrealm.h>
#import "Realm/RLMError.h"

// Throws an RLMException.
__attribute__((noreturn)) void RLMThrow(NSString *format, ...) NS_FORMAT_FUNCTION(1, 2);
// Throws an RLMException with the message of the last failure of the C interface on this thread.
__attribute__((noreturn)) void RLMThrowLastFailure(void);
// The last failure as an NSError.
NSError *RLMErrorOfLastFailure(void);
NSError *RLMErrorOfFailure(const openrealm_error *failure);
// Hands the last failure to the caller, or throws it if the caller does not ask for errors. Returns NO.
BOOL RLMFail(NSError **error);

static inline void RLMCheck(int32_t code) {
  if (__builtin_expect(code != OPENREALM_OK, 0)) RLMThrowLastFailure();
}
