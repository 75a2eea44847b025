#if !__has_include(<openssl/evp.h>)
#error "<openssl/evp.h> is missing: install OpenSSL's library with: apt-get install libssl-dev"
#endif

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
