// libqrencode for Swift, as it is: the address of the page as a picture for the camera of a phone.
// Only the target Web imports it.
#pragma once
#include <qrencode.h>
