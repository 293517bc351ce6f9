// libsystemd for Swift: the event loop and the watchdog's interval, with the epoll, eventfd and
// timex that go with them. Only the target Systemd imports this.
#pragma once

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timex.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
