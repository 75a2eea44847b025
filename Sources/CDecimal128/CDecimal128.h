// Prototypes for the part of Intel's decimal floating-point library that the
// project calls. The installed bid_functions.h cannot be imported as a module:
// it depends on macros that select one of the library's calling conventions
// and it redefines types of <fenv.h>.
//
// These prototypes match libbidgcc000: arguments by value, rounding mode as an
// argument, status flags through a pointer. Nothing in it is global, so every
// function may be called from any thread.

#ifndef CDECIMAL128_H
#define CDECIMAL128_H

#if !__has_include(<bid_functions.h>)
#error "<bid_functions.h> is missing: install Intel's decimal library with: apt-get install libintelrdfpmath-dev"
#endif

#include <stdint.h>

// w[0] holds the low 64 bits. The alignment is part of the calling convention.
typedef struct __attribute__((aligned(16))) {
  uint64_t w[2];
} BID_UINT128;

_Static_assert(sizeof(BID_UINT128) == 16, "a decimal128 has 16 bytes");

// Rounding mode: to nearest, ties to even. The only one used here.
#define BID_ROUNDING_TO_NEAREST 0u

// Bit of the status flags that says that a result was rounded.
#define BID_INEXACT_EXCEPTION 0x20u

#define BID_SWIFT_NAME(name) __attribute__((swift_name(name)))

BID_UINT128 __bid128_add(BID_UINT128 x, BID_UINT128 y, unsigned rounding, unsigned *flags)
    BID_SWIFT_NAME("bid128_add(_:_:_:_:)");
BID_UINT128 __bid128_sub(BID_UINT128 x, BID_UINT128 y, unsigned rounding, unsigned *flags)
    BID_SWIFT_NAME("bid128_sub(_:_:_:_:)");
BID_UINT128 __bid128_mul(BID_UINT128 x, BID_UINT128 y, unsigned rounding, unsigned *flags)
    BID_SWIFT_NAME("bid128_mul(_:_:_:_:)");
BID_UINT128 __bid128_div(BID_UINT128 x, BID_UINT128 y, unsigned rounding, unsigned *flags)
    BID_SWIFT_NAME("bid128_div(_:_:_:_:)");

int __bid128_quiet_equal(BID_UINT128 x, BID_UINT128 y, unsigned *flags)
    BID_SWIFT_NAME("bid128_quiet_equal(_:_:_:)");
int __bid128_quiet_less(BID_UINT128 x, BID_UINT128 y, unsigned *flags)
    BID_SWIFT_NAME("bid128_quiet_less(_:_:_:)");

BID_UINT128 __bid128_from_int64(int64_t x) BID_SWIFT_NAME("bid128_from_int64(_:)");
BID_UINT128 __bid128_from_uint64(uint64_t x) BID_SWIFT_NAME("bid128_from_uint64(_:)");

// The text is only read, although the library declares it mutable.
BID_UINT128 __bid128_from_string(char *text, unsigned rounding, unsigned *flags)
    BID_SWIFT_NAME("bid128_from_string(_:_:_:)");
// Writes at most 43 bytes: sign, 34 digits, 'E', sign, 4 digits, NUL.
void __bid128_to_string(char *text, BID_UINT128 x, unsigned *flags)
    BID_SWIFT_NAME("bid128_to_string(_:_:_:)");

#undef BID_SWIFT_NAME

#endif
