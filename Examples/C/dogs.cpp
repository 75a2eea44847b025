// The interface in C++: handles in `std::unique_ptr`, codes as exceptions.
#include <openrealm.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

struct Release {
  void operator()(void *handle) const { openrealm_release(handle); }
};

template <typename Handle>
using Owned = std::unique_ptr<Handle, Release>;

[[noreturn]] void fail() {
  openrealm_error error;
  openrealm_last_error(&error);
  throw std::runtime_error(error.message);
}

void check(int32_t code) {
  if (code != OPENREALM_OK) fail();
}

template <typename Handle>
Owned<Handle> own(Handle *handle) {
  if (handle == nullptr) fail();
  return Owned<Handle>(handle);
}

void run(const char *path) {
  auto schema = own(openrealm_schema_new());
  openrealm_property name = {"name", nullptr, OPENREALM_STRING, OPENREALM_SINGLE, OPENREALM_PRIMARY_KEY_FLAG,
                             0, nullptr, nullptr};
  openrealm_property age = {"age", nullptr, OPENREALM_INT, OPENREALM_SINGLE, OPENREALM_INDEXED, 0, nullptr, nullptr};
  check(openrealm_schema_add_class(schema.get(), "Dog", false));
  check(openrealm_schema_add_property(schema.get(), &name));
  check(openrealm_schema_add_property(schema.get(), &age));

  auto configuration = own(openrealm_configuration_new());
  check(openrealm_configuration_set_path(configuration.get(), path));
  check(openrealm_configuration_set_schema(configuration.get(), schema.get()));
  auto realm = own(openrealm_open(configuration.get()));

  const int32_t dog = openrealm_class_number(realm.get(), "Dog");
  const int32_t properties[] = {openrealm_property_number(realm.get(), dog, "name"),
                                openrealm_property_number(realm.get(), dog, "age")};
  const openrealm_value values[] = {openrealm_string("Fido"), openrealm_int(4)};
  check(openrealm_begin(realm.get()));
  check(openrealm_create_or_update(realm.get(), dog, OPENREALM_UPDATE_ALL, 2, properties, values, nullptr, nullptr));
  check(openrealm_commit(realm.get()));

  auto dogs = own(openrealm_objects(realm.get(), dog));
  std::size_t count = 0;
  check(openrealm_count(dogs.get(), &count));
  std::printf("%zu dogs\n", count);
}

}  // namespace

int main(int argc, char **argv) {
  try {
    run(argc > 1 ? argv[1] : "dogs.realm");
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
