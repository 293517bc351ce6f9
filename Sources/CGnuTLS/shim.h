// GnuTLS for Swift, of which libmicrohttpd speaks HTTPS: here only to read when a certificate is
// valid. Only the target Web imports it.
#pragma once
#include <gnutls/x509.h>
