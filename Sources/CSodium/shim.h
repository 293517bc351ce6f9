// libsodium's BLAKE2b, signatures and base64, as they are: none of them needs `sodium_init`. Only
// the target Digest imports it.
#pragma once
#include <sodium/crypto_generichash_blake2b.h>
#include <sodium/crypto_sign_ed25519.h>
#include <sodium/utils.h>
