// Columns: many values of one property at once.
#ifndef OPENREALM_COLUMNS_H
#define OPENREALM_COLUMNS_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

// Copies the values of a property of `count` objects of a collection, from a position on, into memory of the caller:
// int64_t for int and for links (the row of the target), double, float, uint8_t (0 or 1) for bool, int64_t for dates (microseconds
// since 1970), 12 or 16 bytes for object ids, UUIDs and decimals. Places of null values hold 0. `validity`, unless NULL, gets a bit for
// each value, lowest bit first, which is 0 for null: (count + 7) / 8 bytes. OPENREALM_WRONG_TYPE for strings, data, mixed
// values and collections.
int32_t openrealm_column(openrealm_collection *objects, int32_t property, size_t start, size_t count, void *values,
                         uint8_t *validity);

#ifdef __cplusplus
}
#endif
#endif
