// XIDs: error events of the NVIDIA driver, by what has to happen next. A table of defaults; pure.
#pragma once

#include <string>

namespace berth {

enum class XidClass {
  application,  // the program's error: the device stays in use
  info,         // a note, or a consequence of another XID
  contained,    // memory error that hit one program: a reset at a convenient time
  reset,        // nothing new until the device was reset
  fabric,       // its NVLink is in doubt
  reboot,       // lost until the machine was restarted
  replace,      // hands on
  unknown,      // treated as reset, since nobody knows
};

XidClass xid_class(int xid);
std::string xid_text(int xid);  // "XID 48 (double-bit ECC error): needs a reset"

}  // namespace berth
