#import "RLMFailure.h"

NSString *const RLMExceptionName = @"RLMException";
NSString *const RLMErrorDomain = @"io.realm";
const uint64_t RLMNotVersioned = UINT64_MAX;

void RLMThrow(NSString *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  NSString *reason = [[[NSString alloc] initWithFormat:format arguments:arguments] autorelease];
  va_end(arguments);
  @throw [NSException exceptionWithName:RLMExceptionName reason:reason userInfo:nil];
}

void RLMThrowLastFailure(void) {
  openrealm_error failure;
  openrealm_last_error(&failure);
  NSDictionary *information = [NSDictionary dictionaryWithObject:RLMErrorOfLastFailure() forKey:@"RLMError"];
  @throw [NSException exceptionWithName:RLMExceptionName
                                 reason:[NSString stringWithUTF8String:failure.message]
                               userInfo:information];
}

static RLMError errorOfCode(int32_t code) {
  switch (code) {
  case OPENREALM_OK: return RLMErrorNone;
  case OPENREALM_FILE_NOT_FOUND: return RLMErrorFileNotFound;
  case OPENREALM_FILE_PERMISSION_DENIED: return RLMErrorFilePermissionDenied;
  case OPENREALM_FILE_EXISTS: return RLMErrorFileExists;
  case OPENREALM_FILE_ACCESS: return RLMErrorFileAccess;
  case OPENREALM_FILE_OPERATION_FAILED: return RLMErrorFileOperationFailed;
  case OPENREALM_OUT_OF_DISK_SPACE: return RLMErrorOutOfDiskSpace;
  case OPENREALM_INVALID_DATABASE:
  case OPENREALM_DAMAGED: return RLMErrorInvalidDatabase;
  case OPENREALM_UNSUPPORTED_FORMAT: return RLMErrorUnsupportedFileFormatVersion;
  case OPENREALM_UPGRADE_REQUIRED: return RLMErrorFileFormatUpgradeRequired;
  case OPENREALM_INCOMPATIBLE_LOCK_FILE: return RLMErrorIncompatibleLockFile;
  case OPENREALM_ADDRESS_SPACE_EXHAUSTED: return RLMErrorAddressSpaceExhausted;
  case OPENREALM_SCHEMA_MISMATCH: return RLMErrorSchemaMismatch;
  case OPENREALM_ALREADY_OPEN: return RLMErrorAlreadyOpen;
  case OPENREALM_BAD_ARGUMENT: return RLMErrorInvalidInput;
  default: return RLMErrorFail;
  }
}

NSError *RLMErrorOfLastFailure(void) {
  openrealm_error failure;
  openrealm_last_error(&failure);
  return RLMErrorOfFailure(&failure);
}

NSError *RLMErrorOfFailure(const openrealm_error *failure) {
  NSMutableDictionary *information = [NSMutableDictionary dictionary];
  [information setObject:[NSString stringWithUTF8String:failure->message] forKey:NSLocalizedDescriptionKey];
  [information setObject:[NSNumber numberWithInt:failure->code] forKey:@"Error Code"];
  [information setObject:[NSString stringWithUTF8String:openrealm_code_name(failure->code)]
                  forKey:@"Error Name"];
  if (failure->path)
    [information setObject:[NSString stringWithUTF8String:failure->path] forKey:NSFilePathErrorKey];
  return [NSError errorWithDomain:RLMErrorDomain code:errorOfCode(failure->code) userInfo:information];
}

BOOL RLMFail(NSError **error) {
  if (!error) RLMThrowLastFailure();
  *error = RLMErrorOfLastFailure();
  return NO;
}
