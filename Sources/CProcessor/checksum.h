// The processor's instructions for CRC-32C, which Swift has no functions for.
//
// Nothing of the C library is included: Swift finds its declarations in one module only.

#ifndef OPENREALM_CHECKSUM_H
#define OPENREALM_CHECKSUM_H

// Four checksums, of every fourth word each, so that the processor works on several at once.
typedef struct { unsigned a, b, c, d; } openrealm_lanes;

#if defined(__x86_64__)
#define OPENREALM_HAS_CRC32C 1
#define OPENREALM_CRC32C __attribute__((target("sse4.2"))) static inline

static inline int openrealm_processor_has_crc32c(void) {
  unsigned a = 1, b, c = 0, d;
  __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  return (c >> 20) & 1;
}

OPENREALM_CRC32C unsigned openrealm_crc32c(unsigned crc, unsigned long long word) {
  return (unsigned)__builtin_ia32_crc32di(crc, word);
}
#elif defined(__aarch64__)
#define OPENREALM_HAS_CRC32C 1
#define OPENREALM_CRC32C __attribute__((target("crc"))) static inline

extern unsigned long getauxval(unsigned long type);

static inline int openrealm_processor_has_crc32c(void) {
  return (getauxval(/* AT_HWCAP */ 16) >> 7) & 1;
}

OPENREALM_CRC32C unsigned openrealm_crc32c(unsigned crc, unsigned long long word) {
  return __builtin_arm_crc32cd(crc, word);
}
#else
#define OPENREALM_CRC32C static inline
static inline int openrealm_processor_has_crc32c(void) { return 0; }
OPENREALM_CRC32C unsigned openrealm_crc32c(unsigned crc, unsigned long long word) { return 0; }
#endif

// How many bytes ahead of what is summed memory is asked for. Values lie one behind the other mostly, and each is summed
// when it is first touched: the processor itself looks ahead no further than to the end of a page of 4,096 bytes, and
// waiting for memory took half of the time.
#define OPENREALM_SUM_AHEAD 2048

// The lanes after a number of blocks of 32 bytes. Only where the processor has the instruction.
OPENREALM_CRC32C openrealm_lanes openrealm_crc32c_blocks(
  openrealm_lanes lanes, const void *bytes, long count
) {
  const char *at = (const char *)bytes;
  for (; count > 0; count--, at += 32) {
    unsigned long long words[4];
    __builtin_prefetch(at + OPENREALM_SUM_AHEAD);
    __builtin_memcpy(words, at, 32);
    lanes.a = openrealm_crc32c(lanes.a, words[0]);
    lanes.b = openrealm_crc32c(lanes.b, words[1]);
    lanes.c = openrealm_crc32c(lanes.c, words[2]);
    lanes.d = openrealm_crc32c(lanes.d, words[3]);
  }
  return lanes;
}

// The checksum of up to 32 bytes, filled up with zeros, after another. Only where the processor has the instruction.
OPENREALM_CRC32C unsigned openrealm_crc32c_rest(unsigned crc, const void *bytes, long count) {
  const char *at = (const char *)bytes;
  unsigned long long word;
  for (; count >= 8; count -= 8, at += 8) {
    __builtin_memcpy(&word, at, 8);
    crc = openrealm_crc32c(crc, word);
  }
  if (count > 0) {
    word = 0;
    for (long index = 0; index < count; index++) word |= (unsigned long long)(unsigned char)at[index] << (index * 8);
    crc = openrealm_crc32c(crc, word);
  }
  return crc;
}

#endif
