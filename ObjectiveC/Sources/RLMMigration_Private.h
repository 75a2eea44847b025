#import "RLMRealm_Private.h"

// The migration function of the C interface, with its context.
void *RLMMakeMigrationContext(RLMRealmConfiguration *configuration);
void RLMReleaseMigrationContext(void *context);
int32_t RLMRunMigration(void *context, openrealm_migration *migration, uint64_t oldVersion);
