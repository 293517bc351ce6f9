// CRC-32 by carry-less multiplication (x86-64) or by the CRC instructions (arm64), several times
// as fast as by tables. Both are options of their architecture, so the processor is asked first. A
// pure function: it must read only the bytes that it was given.
#include "CChecksum.h"

#include <string.h>

#if defined(__x86_64__)

#include <immintrin.h>

// Multiplies both halves of `sum` by x to the power of a distance, which `powers` is for.
__attribute__((target("pclmul,sse4.1"))) static inline __m128i moved(__m128i sum, __m128i powers) {
  return _mm_xor_si128(
      _mm_clmulepi64_si128(sum, powers, 0x00), _mm_clmulepi64_si128(sum, powers, 0x11));
}

__attribute__((target("pclmul,sse4.1"))) static inline __m128i loaded(const uint8_t *bytes) {
  return _mm_loadu_si128((const __m128i *)bytes);
}

// Reduces 128 bits to the 32 of the checksum.
__attribute__((target("pclmul,sse4.1"))) static uint32_t reduced(__m128i sum, __m128i by16) {
  const __m128i by4 = _mm_set_epi64x(0, 0x163cd6124);
  const __m128i polynomial = _mm_set_epi64x(0x1f7011641, 0x1db710641);
  const __m128i low = _mm_setr_epi32(~0, 0, ~0, 0);
  sum = _mm_xor_si128(_mm_srli_si128(sum, 8), _mm_clmulepi64_si128(sum, by16, 0x10));
  sum = _mm_xor_si128(
      _mm_srli_si128(sum, 4), _mm_clmulepi64_si128(_mm_and_si128(sum, low), by4, 0x00));
  // Barrett's reduction: the quotient's low half, times the polynomial.
  __m128i rest = _mm_clmulepi64_si128(_mm_and_si128(sum, low), polynomial, 0x10);
  rest = _mm_clmulepi64_si128(_mm_and_si128(rest, low), polynomial, 0x00);
  return (uint32_t)_mm_extract_epi32(_mm_xor_si128(sum, rest), 1);
}

// The sum over `sum`, which stands for 16 bytes, and the `count` bytes that end at `end`, 1 to 15:
// the first `count` bytes of `sum` are moved, and the others end with the new ones.
__attribute__((target("pclmul,sse4.1"))) static inline __m128i ended(
    __m128i sum, const uint8_t *end, size_t count, __m128i by16) {
  // From `count` on, they move bytes up by 16 less `count`; from 16 more on, down by `count`.
  static const uint8_t places[48] = {
      128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
      0,   1,   2,   3,   4,   5,   6,   7,   8,   9,   10,  11,  12,  13,  14,  15,
      128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128};
  __m128i up = loaded(places + count), down = loaded(places + 16 + count);
  __m128i rest = _mm_blendv_epi8(loaded(end - 16), _mm_shuffle_epi8(sum, down), up);
  return _mm_xor_si128(moved(_mm_shuffle_epi8(sum, up), by16), rest);
}

// As in "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ" (Intel, 2009), with its
// constants. `count` is at least 64.
__attribute__((target("pclmul,sse4.1"))) static uint32_t advanced(
    uint32_t sum, const uint8_t *bytes, size_t count) {
  const __m128i by64 = _mm_set_epi64x(0x1c6e41596, 0x154442bd4);
  const __m128i by16 = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
  const uint8_t *end = bytes + count;
  // Four independent lanes, because a multiplication takes several cycles.
  __m128i a = _mm_xor_si128(loaded(bytes), _mm_cvtsi32_si128((int)sum));
  __m128i b = loaded(bytes + 16), c = loaded(bytes + 32), d = loaded(bytes + 48);
  for (bytes += 64; end - bytes >= 64; bytes += 64) {
    a = _mm_xor_si128(moved(a, by64), loaded(bytes));
    b = _mm_xor_si128(moved(b, by64), loaded(bytes + 16));
    c = _mm_xor_si128(moved(c, by64), loaded(bytes + 32));
    d = _mm_xor_si128(moved(d, by64), loaded(bytes + 48));
  }
  b = _mm_xor_si128(moved(a, by16), b);
  c = _mm_xor_si128(moved(b, by16), c);
  d = _mm_xor_si128(moved(c, by16), d);
  for (; end - bytes >= 16; bytes += 16) d = _mm_xor_si128(moved(d, by16), loaded(bytes));
  if (end > bytes) d = ended(d, end, (size_t)(end - bytes), by16);
  return reduced(d, by16);
}

size_t reel_checksum_advance(uint32_t *sum, const void *bytes, size_t count) {
  if (count < 64 || !__builtin_cpu_supports("pclmul") || !__builtin_cpu_supports("sse4.1")) {
    return 0;
  }
  *sum = advanced(*sum, bytes, count);
  return count;
}

#elif defined(__aarch64__)

#include <sys/auxv.h>

// HWCAP_CRC32, whose header some toolchains lack.
static const unsigned long crc_capability = 1 << 7;

size_t reel_checksum_advance(uint32_t *sum, const void *bytes, size_t count) {
  static int is_able = -1;
  int able = __atomic_load_n(&is_able, __ATOMIC_RELAXED);
  if (able < 0) {
    able = (getauxval(AT_HWCAP) & crc_capability) != 0;
    __atomic_store_n(&is_able, able, __ATOMIC_RELAXED);
  }
  if (!able) return 0;
  size_t whole = count & ~(size_t)7;
  uint32_t value = *sum;
  for (size_t place = 0; place < whole; place += 8) {
    uint64_t word;
    memcpy(&word, (const uint8_t *)bytes + place, sizeof word);
    // In assembly, because compilers disagree on how to ask for the intrinsic.
    __asm__(".arch_extension crc\n\tcrc32x %w0, %w0, %x1" : "+r"(value) : "r"(word));
  }
  *sum = value;
  return whole;
}

#else

size_t reel_checksum_advance(uint32_t *sum, const void *bytes, size_t count) {
  (void)sum, (void)bytes, (void)count;
  return 0;
}

#endif
