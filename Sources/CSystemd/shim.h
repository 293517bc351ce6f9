// libsystemd as Swift is to see it: the event loop, the notify protocol and the journal, with the
// epoll, eventfd and timex that go with them. Only the target Systemd imports this.
#pragma once

// The caller's file and line would be those of the wrapper; a journal field says it better.
#define SD_JOURNAL_SUPPRESS_LOCATION

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-journal.h>
