// libsodium's SHA-256, as it is: it needs no `sodium_init`. Only the target Digest imports it.
#pragma once
#include <sodium/crypto_hash_sha256.h>
