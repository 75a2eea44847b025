// Columns: many values of one property at once.
#ifndef OPENREALM_COLUMNS_H
#define OPENREALM_COLUMNS_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

// Copies the values of a property of `count` objects of a collection, from a position on, into memory of the caller:
// int64_t for int and for links (the row of the target), double, float, uint8_t (0 or 1) for bool, int64_t for dates
// (microseconds since 1970, rounded), 12 or 16 bytes for object ids, UUIDs and decimals. Places of null values and of
// objects that do not exist hold 0. `validity`, unless NULL, gets a bit for each value, lowest bit first, which is 0
// for null, in (count + 7) / 8 bytes; bits behind the last value are 0. This is the layout of Arrow.
//
// The collection is of any kind, in its order; no list of its objects is made. OPENREALM_WRONG_TYPE for strings,
// data, mixed values and properties that are collections, and for collections of other values than objects.
// OPENREALM_OUT_OF_BOUNDS unless all values are there; nothing is copied then. Other codes are those of
// collections.h.
int32_t openrealm_column(openrealm_collection *objects, int32_t property, size_t start, size_t count, void *values,
                         uint8_t *validity);

#ifdef __cplusplus
}
#endif
#endif
