#pragma once

#if !__has_include(<microhttpd.h>)
#error "<microhttpd.h> is missing: install libmicrohttpd, which only the tool needs, with: apt-get install libmicrohttpd-dev"
#endif
#include <microhttpd.h>

// Swift cannot call functions with a variable number of arguments.

/// Called when the line of a request has come, with its target as it was sent. Returns the context of the request.
typedef void *_Nullable (*studio_begin)(
  void *_Nullable context, const char *_Nonnull target, struct MHD_Connection *_Nonnull connection);

/// Starts a daemon with one thread of its own, which waits for its connections by poll(2).
///
/// Waiting by epoll, the daemon does not notice when a client has closed a connection together with its last bytes.
///
/// @param listener A socket that listens; the daemon closes it.
/// @param connections Maximum number of connections; more wait in the queue of the socket.
/// @param timeout Time without any traffic after which a connection is closed, in seconds.
/// @param memory Maximum size of a request's line with its headers, in bytes.
static inline struct MHD_Daemon *_Nullable studio_start(
  int listener, unsigned connections, unsigned timeout, size_t memory, void *_Nonnull context,
  studio_begin _Nonnull begin, MHD_AccessHandlerCallback _Nonnull answer, MHD_RequestCompletedCallback _Nonnull end,
  MHD_NotifyConnectionCallback _Nonnull connect)
{
  return MHD_start_daemon(
    MHD_USE_POLL | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, answer, context,
    MHD_OPTION_LISTEN_SOCKET, listener,
    MHD_OPTION_CONNECTION_LIMIT, connections,
    MHD_OPTION_CONNECTION_TIMEOUT, timeout,
    MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
    MHD_OPTION_STRICT_FOR_CLIENT, 1,
    MHD_OPTION_URI_LOG_CALLBACK, begin, context,
    MHD_OPTION_NOTIFY_COMPLETED, end, context,
    MHD_OPTION_NOTIFY_CONNECTION, connect, context,
    MHD_OPTION_END);
}

/// Returns the socket of a connection, -1 when it has none.
static inline int studio_socket(struct MHD_Connection *_Nonnull connection)
{
  const union MHD_ConnectionInfo *information =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return information ? information->connect_fd : -1;
}
