#import "RLMConversion.h"
#import "RLMFailure.h"
#import "RLMRealm_Private.h"

@implementation RLMRealm (Files)

+ (BOOL)fileExistsForConfiguration:(RLMRealmConfiguration *)configuration {
  openrealm_configuration *handle = [configuration makeHandle];
  bool exists = false;
  int32_t code = openrealm_file_exists(handle, &exists);
  openrealm_release(handle);
  RLMCheck(code);
  return exists;
}

+ (BOOL)deleteFilesForConfiguration:(RLMRealmConfiguration *)configuration error:(NSError **)error {
  openrealm_configuration *handle = [configuration makeHandle];
  bool deleted = false;
  int32_t code = openrealm_delete_files(handle, &deleted);
  openrealm_release(handle);
  return code == OPENREALM_OK ? deleted : RLMFail(error);
}

+ (BOOL)performMigrationForConfiguration:(RLMRealmConfiguration *)configuration error:(NSError **)error {
  openrealm_configuration *handle = [configuration makeHandle];
  openrealm_realm *realm = openrealm_open(handle);
  openrealm_release(handle);
  BOOL isOpen = realm != NULL;
  openrealm_release(realm);
  RLMThrowKept();
  return isOpen ? YES : RLMFail(error);
}

+ (uint64_t)schemaVersionAtURL:(NSURL *)fileURL encryptionKey:(NSData *)key error:(NSError **)error {
  RLMRealmConfiguration *configuration = [[[RLMRealmConfiguration alloc] init] autorelease];
  configuration.fileURL = fileURL;
  configuration.encryptionKey = key;
  configuration.dynamic = YES;
  configuration.readOnly = YES;
  openrealm_configuration *handle = [configuration makeHandle];
  openrealm_realm *realm = openrealm_open(handle);
  openrealm_release(handle);
  uint64_t version = RLMNotVersioned;
  BOOL isRead = realm && openrealm_schema_version(realm, &version) == OPENREALM_OK;
  openrealm_release(realm);
  if (!isRead) RLMFail(error);
  return version;
}

- (BOOL)writeCopyToURL:(NSURL *)fileURL encryptionKey:(NSData *)key error:(NSError **)error {
  if (key && [key length] != 64) RLMThrow(@"Encryption key must be exactly 64 bytes long");
  int32_t code = openrealm_write_copy(_handle, [[fileURL path] UTF8String], [key bytes]);
  return code == OPENREALM_OK ? YES : RLMFail(error);
}

- (BOOL)writeCopyForConfiguration:(RLMRealmConfiguration *)configuration error:(NSError **)error {
  return [self writeCopyToURL:configuration.fileURL encryptionKey:configuration.encryptionKey error:error];
}

@end
