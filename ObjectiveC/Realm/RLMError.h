#import <Realm/RLMConstants.h>

// The domain of the errors that this library returns.
extern NSString *const RLMErrorDomain;

typedef NS_ENUM(NSInteger, RLMError) {
  RLMErrorNone = 0,
  RLMErrorFail = 1,
  RLMErrorFileAccess = 2,
  RLMErrorFilePermissionDenied = 3,
  RLMErrorFileExists = 4,
  RLMErrorFileNotFound = 5,
  RLMErrorFileFormatUpgradeRequired = 6,
  RLMErrorIncompatibleLockFile = 8,
  RLMErrorAddressSpaceExhausted = 9,
  RLMErrorSchemaMismatch = 10,
  RLMErrorAlreadyOpen = 12,
  RLMErrorInvalidInput = 13,
  RLMErrorOutOfDiskSpace = 14,
  RLMErrorUnsupportedFileFormatVersion = 16,
  RLMErrorFileOperationFailed = 19,
  RLMErrorInvalidDatabase = 20
};
