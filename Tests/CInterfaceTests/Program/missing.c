// Stands in for functions that have no implementation yet: each weak definition gives way to the library's. Without the header,
// whose declarations it does not have to repeat.

__attribute__((weak)) void *openrealm_configuration_new(void) { return 0; }
__attribute__((weak)) void *openrealm_configuration_copy(void) { return 0; }
__attribute__((weak)) int openrealm_configuration_set_path(void) { return 1; }
__attribute__((weak)) int openrealm_configuration_path(void) { return 1; }
__attribute__((weak)) int openrealm_configuration_set_memory_name(void) { return 1; }
__attribute__((weak)) int openrealm_configuration_set_schema(void) { return 1; }
__attribute__((weak)) int openrealm_configuration_set_schema_version(void) { return 1; }
__attribute__((weak)) int openrealm_configuration_set_read_only(void) { return 1; }
__attribute__((weak)) int openrealm_configuration_set_durable(void) { return 1; }
__attribute__((weak)) int openrealm_configuration_set_key(void) { return 1; }
__attribute__((weak)) int openrealm_configuration_set_delete_if_migration_needed(void) { return 1; }
__attribute__((weak)) int openrealm_configuration_set_convert_official(void) { return 1; }
__attribute__((weak)) int openrealm_configuration_set_seed(void) { return 1; }
__attribute__((weak)) int openrealm_configuration_set_maximum_versions(void) { return 1; }
__attribute__((weak)) int openrealm_configuration_set_migration(void) { return 1; }
__attribute__((weak)) int openrealm_configuration_set_compaction(void) { return 1; }
__attribute__((weak)) void *openrealm_migration_old_realm(void) { return 0; }
__attribute__((weak)) void *openrealm_migration_new_realm(void) { return 0; }
__attribute__((weak)) int openrealm_migration_rename(void) { return 1; }
__attribute__((weak)) int openrealm_migration_delete_data(void) { return 1; }
__attribute__((weak)) void *openrealm_code_name(void) { return 0; }
__attribute__((weak)) void openrealm_set_fatal_handler(void) {}
__attribute__((weak)) int openrealm_set_logger(void) { return 1; }
__attribute__((weak)) int openrealm_write_copy(void) { return 1; }
__attribute__((weak)) int openrealm_compact(void) { return 1; }
__attribute__((weak)) int openrealm_file_exists(void) { return 1; }
__attribute__((weak)) int openrealm_delete_files(void) { return 1; }
__attribute__((weak)) int openrealm_verify(void) { return 1; }
__attribute__((weak)) int openrealm_salvage(void) { return 1; }
__attribute__((weak)) int openrealm_convert_official(void) { return 1; }
__attribute__((weak)) int openrealm_loop_descriptor(void) { return 1; }
__attribute__((weak)) int openrealm_loop_perform(void) { return 1; }
__attribute__((weak)) void *openrealm_observe_collection(void) { return 0; }
__attribute__((weak)) void *openrealm_observe_object(void) { return 0; }
__attribute__((weak)) void *openrealm_observe_realm(void) { return 0; }
__attribute__((weak)) int openrealm_token_invalidate(void) { return 1; }
__attribute__((weak)) int openrealm_get_int(void) { return 1; }
__attribute__((weak)) int openrealm_get_bool(void) { return 1; }
__attribute__((weak)) int openrealm_get_float(void) { return 1; }
__attribute__((weak)) int openrealm_get_double(void) { return 1; }
__attribute__((weak)) int openrealm_get_string(void) { return 1; }
__attribute__((weak)) int openrealm_get_data(void) { return 1; }
__attribute__((weak)) int openrealm_get_date(void) { return 1; }
__attribute__((weak)) int openrealm_get_object_id(void) { return 1; }
__attribute__((weak)) int openrealm_get_decimal128(void) { return 1; }
__attribute__((weak)) int openrealm_get_uuid(void) { return 1; }
__attribute__((weak)) int openrealm_get_object(void) { return 1; }
__attribute__((weak)) int openrealm_get_value(void) { return 1; }
__attribute__((weak)) int openrealm_set_int(void) { return 1; }
__attribute__((weak)) int openrealm_set_bool(void) { return 1; }
__attribute__((weak)) int openrealm_set_float(void) { return 1; }
__attribute__((weak)) int openrealm_set_double(void) { return 1; }
__attribute__((weak)) int openrealm_set_string(void) { return 1; }
__attribute__((weak)) int openrealm_set_data(void) { return 1; }
__attribute__((weak)) int openrealm_set_date(void) { return 1; }
__attribute__((weak)) int openrealm_set_object_id(void) { return 1; }
__attribute__((weak)) int openrealm_set_decimal128(void) { return 1; }
__attribute__((weak)) int openrealm_set_uuid(void) { return 1; }
__attribute__((weak)) int openrealm_set_object(void) { return 1; }
__attribute__((weak)) int openrealm_set_null(void) { return 1; }
__attribute__((weak)) int openrealm_set_value(void) { return 1; }
__attribute__((weak)) int openrealm_add_int(void) { return 1; }
__attribute__((weak)) int openrealm_set_embedded(void) { return 1; }
__attribute__((weak)) int openrealm_create(void) { return 1; }
__attribute__((weak)) int openrealm_create_or_update(void) { return 1; }
__attribute__((weak)) int openrealm_import_json(void) { return 1; }
__attribute__((weak)) int openrealm_find(void) { return 1; }
__attribute__((weak)) int openrealm_delete(void) { return 1; }
__attribute__((weak)) unsigned long openrealm_is_valid(void) { return 0; }
__attribute__((weak)) int openrealm_backlink_count(void) { return 1; }
__attribute__((weak)) void *openrealm_open(void) { return 0; }
__attribute__((weak)) int openrealm_close(void) { return 1; }
__attribute__((weak)) int openrealm_begin(void) { return 1; }
__attribute__((weak)) int openrealm_commit(void) { return 1; }
__attribute__((weak)) int openrealm_commit_without_notifying(void) { return 1; }
__attribute__((weak)) int openrealm_cancel(void) { return 1; }
__attribute__((weak)) unsigned long openrealm_is_writing(void) { return 0; }
__attribute__((weak)) int openrealm_refresh(void) { return 1; }
__attribute__((weak)) int openrealm_set_autorefresh(void) { return 1; }
__attribute__((weak)) unsigned long openrealm_autorefresh(void) { return 0; }
__attribute__((weak)) int openrealm_invalidate(void) { return 1; }
__attribute__((weak)) void *openrealm_freeze(void) { return 0; }
__attribute__((weak)) void *openrealm_thaw(void) { return 0; }
__attribute__((weak)) unsigned long openrealm_is_frozen(void) { return 0; }
__attribute__((weak)) unsigned long openrealm_is_same(void) { return 0; }
__attribute__((weak)) unsigned long openrealm_version_number(void) { return 0; }
__attribute__((weak)) int openrealm_schema_version(void) { return 1; }
__attribute__((weak)) void *openrealm_realm_configuration(void) { return 0; }
__attribute__((weak)) int openrealm_class_number(void) { return 1; }
__attribute__((weak)) int openrealm_class_name(void) { return 1; }
__attribute__((weak)) int openrealm_property_number(void) { return 1; }
__attribute__((weak)) int openrealm_target_class(void) { return 1; }
__attribute__((weak)) int openrealm_delete_all(void) { return 1; }
__attribute__((weak)) void *openrealm_schema_new(void) { return 0; }
__attribute__((weak)) int openrealm_schema_add_class(void) { return 1; }
__attribute__((weak)) int openrealm_schema_add_property(void) { return 1; }
__attribute__((weak)) int openrealm_schema_add_index(void) { return 1; }
__attribute__((weak)) int openrealm_schema_check(void) { return 1; }
__attribute__((weak)) void *openrealm_schema_from_json(void) { return 0; }
__attribute__((weak)) int openrealm_schema_json(void) { return 1; }
__attribute__((weak)) void *openrealm_schema_of_file(void) { return 0; }
__attribute__((weak)) void *openrealm_schema_of_realm(void) { return 0; }
__attribute__((weak)) unsigned long openrealm_schema_class_count(void) { return 0; }
__attribute__((weak)) void *openrealm_schema_class_at(void) { return 0; }
__attribute__((weak)) unsigned long openrealm_schema_property_count(void) { return 0; }
__attribute__((weak)) int openrealm_schema_property_at(void) { return 1; }
__attribute__((weak)) void openrealm_value_clear(void) {}
__attribute__((weak)) int openrealm_object_id_new(void) { return 1; }
__attribute__((weak)) int openrealm_object_id_parse(void) { return 1; }
__attribute__((weak)) int openrealm_decimal128_parse(void) { return 1; }
__attribute__((weak)) unsigned long openrealm_decimal128_print(void) { return 0; }
