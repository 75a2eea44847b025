#if !__has_include(<openssl/evp.h>)
#error "<openssl/evp.h> is missing: install OpenSSL's library with: apt-get install libssl-dev"
#endif

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

/* libcrypto frees what it uses when the program ends, while other threads may still use it: they would crash. To be called
   before anything else of it is, which keeps it from that; the system frees the memory. */
static inline void openrealm_prepare_crypto(void) {
  OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}
