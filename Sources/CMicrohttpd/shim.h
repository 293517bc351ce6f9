// libmicrohttpd for Swift. Its calls that begin a daemon and ask for facts are variadic, which
// Swift cannot call: here is one typed function for each. Only the target Web imports this. Its
// form parser, where its one published flaw was, is not used.
#pragma once

#include <microhttpd.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>

// Decodes the escapes of an address. A zero byte would end it early for C: with one in it the
// address is left as it is, and names nothing.
static inline size_t reel_mhd_unescape(void *context, struct MHD_Connection *connection,
                                       char *text) {
  (void)context;
  (void)connection;
  return strstr(text, "%00") ? strlen(text) : MHD_http_unescape(text);
}

struct reel_mhd_limits {
  int connections;
  int per_address;
  int idle_seconds;
  // Of each connection: a longer head is refused.
  int memory_bytes;
};

// The daemon has no thread: its epoll descriptor is watched by the caller, who calls MHD_run().
// `certificate` and `key` are texts in PEM, or both null: then there is no TLS.
static inline struct MHD_Daemon *reel_mhd_start(
    int listener, struct reel_mhd_limits limits, const char *certificate, const char *key,
    MHD_AccessHandlerCallback handle, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback connected, void *context) {
  struct MHD_OptionItem options[] = {
      {MHD_OPTION_LISTEN_SOCKET, listener, NULL},
      {MHD_OPTION_CONNECTION_LIMIT, limits.connections, NULL},
      {MHD_OPTION_PER_IP_CONNECTION_LIMIT, limits.per_address, NULL},
      {MHD_OPTION_CONNECTION_TIMEOUT, limits.idle_seconds, NULL},
      {MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.memory_bytes, NULL},
      {MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL},
      {MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, NULL},
      {MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)reel_mhd_unescape, NULL},
      {MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)completed, context},
      {MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)connected, context},
      {MHD_OPTION_END, 0, NULL}};
  struct MHD_OptionItem secure[] = {
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
      {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
      {MHD_OPTION_END, 0, NULL}};
  struct MHD_OptionItem plain[] = {{MHD_OPTION_END, 0, NULL}};
  unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | (certificate ? MHD_USE_TLS : 0);
  return MHD_start_daemon(flags, 0, NULL, NULL, handle, context, MHD_OPTION_ARRAY, options,
                          MHD_OPTION_ARRAY, certificate ? secure : plain, MHD_OPTION_END);
}

// Returns -1 if there is none.
static inline int reel_mhd_epoll(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

static inline int reel_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

// Whether the other side has closed the connection, read or not. poll() and epoll have the same
// constants; that of poll() is not declared everywhere.
static inline bool reel_mhd_has_left(int socket) {
  struct pollfd asked = {socket, EPOLLRDHUP, 0};
  return poll(&asked, 1, 0) > 0 && asked.revents & (EPOLLRDHUP | POLLHUP | POLLERR);
}

// The pointer that the connection callback left.
static inline void *reel_mhd_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

// The bytes are copied. Null if there is no memory.
static inline struct MHD_Response *reel_mhd_bytes(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

// The response owns the descriptor.
static inline struct MHD_Response *reel_mhd_file(int file, uint64_t offset, uint64_t count) {
  return MHD_create_response_from_fd_at_offset64(count, file, offset);
}

// Of unknown length. `release` is called once with the context, when nothing more is read.
static inline struct MHD_Response *reel_mhd_stream(
    MHD_ContentReaderCallback read, void *context, MHD_ContentReaderFreeCallback release) {
  return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 8192, read, context, release);
}

// What a reader returns at the end, and to break off: macros with casts that Swift does not import.
static const ssize_t reel_mhd_end = -1;
static const ssize_t reel_mhd_break = -2;

// Enumerators that one release's header closes and another's does not: Swift names them
// differently.
static const enum MHD_Result reel_mhd_yes = MHD_YES;
static const enum MHD_Result reel_mhd_no = MHD_NO;
static const enum MHD_ConnectionNotificationCode reel_mhd_started = MHD_CONNECTION_NOTIFY_STARTED;

// Returns in how many milliseconds the daemon has to run; -1 if it need not.
static inline int64_t reel_mhd_timeout(struct MHD_Daemon *daemon) {
  MHD_UNSIGNED_LONG_LONG milliseconds = 0;
  if (MHD_get_timeout(daemon, &milliseconds) != MHD_YES) return -1;
  return milliseconds > INT32_MAX ? INT32_MAX : (int64_t)milliseconds;
}
static const enum MHD_ValueKind reel_mhd_headers = MHD_HEADER_KIND;
static const enum MHD_ValueKind reel_mhd_arguments = MHD_GET_ARGUMENT_KIND;
