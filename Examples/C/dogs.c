// A first program: describes a class, stores objects, finds them again.
#include <openrealm.h>
#include <stdio.h>

static void fail(const char *what) {
  openrealm_error error;
  openrealm_last_error(&error);
  fprintf(stderr, "%s: %s\n", what, error.message);
}

static openrealm_schema *dog_schema(void) {
  openrealm_schema *schema = openrealm_schema_new();
  openrealm_property name = {"name", NULL, OPENREALM_STRING, OPENREALM_SINGLE, OPENREALM_PRIMARY_KEY_FLAG,
                             0, NULL, NULL};
  openrealm_property age = {"age", NULL, OPENREALM_INT, OPENREALM_SINGLE, OPENREALM_INDEXED, 0, NULL, NULL};
  openrealm_schema_add_class(schema, "Dog", false);
  openrealm_schema_add_property(schema, &name);
  openrealm_schema_add_property(schema, &age);
  return schema;
}

static openrealm_realm *open_dogs(const char *path) {
  openrealm_schema *schema = dog_schema();
  openrealm_configuration *configuration = openrealm_configuration_new();
  openrealm_realm *realm;
  openrealm_configuration_set_path(configuration, path);
  openrealm_configuration_set_schema(configuration, schema);
  realm = openrealm_open(configuration);
  openrealm_release(configuration);
  openrealm_release(schema);
  return realm;
}

static int add_dog(openrealm_realm *realm, const char *name, int64_t age) {
  int32_t dog = openrealm_class_number(realm, "Dog");
  int32_t properties[2];
  openrealm_value values[2];
  properties[0] = openrealm_property_number(realm, dog, "name");
  properties[1] = openrealm_property_number(realm, dog, "age");
  values[0] = openrealm_string(name);
  values[1] = openrealm_int(age);
  return openrealm_create_or_update(realm, dog, OPENREALM_UPDATE_MODIFIED, 2, properties, values, NULL, NULL);
}

int main(int argc, char **argv) {
  openrealm_realm *realm = open_dogs(argc > 1 ? argv[1] : "dogs.realm");
  openrealm_collection *dogs, *young;
  openrealm_value limit = openrealm_int(5);
  size_t count = 0, i;
  int32_t dog, name;
  if (!realm) {
    fail("The file cannot be opened");
    return 1;
  }

  if (openrealm_begin(realm) || add_dog(realm, "Rex", 3) || add_dog(realm, "Ada", 9) || openrealm_commit(realm)) {
    fail("The dogs cannot be stored");
    return 1;
  }

  dog = openrealm_class_number(realm, "Dog");
  name = openrealm_property_number(realm, dog, "name");
  dogs = openrealm_objects(realm, dog);
  young = openrealm_filter(dogs, "age < %@", 1, &limit);
  openrealm_count(young, &count);
  for (i = 0; i < count; i++) {
    openrealm_value element;
    openrealm_bytes text;
    openrealm_at(young, i, &element);
    openrealm_get_string(realm, element.as.object, name, &text);
    printf("%.*s is young\n", (int)text.size, text.bytes);
    openrealm_value_clear(&element);
  }

  openrealm_release(young);
  openrealm_release(dogs);
  openrealm_release(realm);
  return count == 1 ? 0 : 1;
}
