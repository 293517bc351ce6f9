// libsystemd for Swift: the event loop, the watchdog's interval and the bus, with the epoll,
// eventfd and timex that go with them. Only the target Systemd and its tests import this.
#pragma once

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timex.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
