// libsodium, as it is. Only the target Digest imports it: its SHA-256, which needs no `sodium_init`.
#pragma once
#include <sodium/crypto_hash_sha256.h>
