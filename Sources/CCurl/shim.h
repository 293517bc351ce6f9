// libcurl for Swift. Its setters and getters are variadic, which Swift cannot call: here is one
// function for each type of value. Only the target Link imports this. The build is the one with
// OpenSSL, in both Debians linked with libssh2 (SFTP); its pins are of public keys.
#pragma once

#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>

static inline CURLcode reel_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode reel_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

// The library copies the text.
static inline CURLcode reel_curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode reel_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

// The list must live as long as the transfer.
static inline CURLcode reel_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

typedef size_t (*reel_curl_bytes)(char *bytes, size_t size, size_t count, void *context);
typedef int (*reel_curl_seek)(void *context, curl_off_t offset, int origin);
typedef int (*reel_curl_host_key)(CURL *easy, const struct curl_khkey *known,
                                  const struct curl_khkey *found, enum curl_khmatch match,
                                  void *context);

// For CURLOPT_READFUNCTION, CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
static inline CURLcode reel_curl_set_bytes(CURL *easy, CURLoption option, reel_curl_bytes value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode reel_curl_set_seek(CURL *easy, reel_curl_seek value) {
  return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, value);
}

static inline CURLcode reel_curl_set_host_key(CURL *easy, reel_curl_host_key value) {
  return curl_easy_setopt(easy, CURLOPT_SSH_KEYFUNCTION, value);
}

static inline long reel_curl_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  curl_easy_getinfo(easy, info, &value);
  return value;
}

static inline curl_off_t reel_curl_get_offset(CURL *easy, CURLINFO info) {
  curl_off_t value = -1;
  curl_easy_getinfo(easy, info, &value);
  return value;
}

// The text belongs to the handle; null if there is none.
static inline const char *reel_curl_get_text(CURL *easy, CURLINFO info) {
  char *value = NULL;
  curl_easy_getinfo(easy, info, &value);
  return value;
}

typedef int (*reel_curl_socket)(CURL *easy, curl_socket_t socket, int what, void *context,
                                void *of_socket);
typedef int (*reel_curl_timer)(CURLM *multi, long timeout_ms, void *context);

static inline CURLMcode reel_curl_multi_set_socket(CURLM *multi, reel_curl_socket value,
                                                   void *context) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value);
  return code ? code : curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
}

static inline CURLMcode reel_curl_multi_set_timer(CURLM *multi, reel_curl_timer value,
                                                  void *context) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, value);
  return code ? code : curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}

static inline CURLMcode reel_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// Returns the next handle that has ended, and its code; null if there is none.
static inline CURL *reel_curl_multi_next_ended(CURLM *multi, CURLcode *code) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    *code = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}

// CURL_GLOBAL_DEFAULT is a macro that Swift does not import.
static inline CURLcode reel_curl_start(void) { return curl_global_init(CURL_GLOBAL_ALL); }

// Constants that are enumerators in one release of libcurl and macros in another.
static const long reel_curl_http_1_1 = CURL_HTTP_VERSION_1_1;
static const long reel_curl_tls_1_2 = CURL_SSLVERSION_TLSv1_2;
