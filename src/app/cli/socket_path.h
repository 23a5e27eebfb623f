// Where daemon and client meet. One rule: the socket lies in the data directory, as berth.sock, unless it is named.
// A client takes what is named (--socket, then BERTH_SOCKET), else that of the user's own data directory, else, if there
// is none, that of the machine's daemon.
#pragma once

#include <string>

namespace berth {

inline constexpr const char* kMachineDataDir = "/var/lib/berth";
inline constexpr const char* kSocketName = "berth.sock";

// Of the daemon: root /var/lib/berth; others $XDG_DATA_HOME/berth, or ~/.local/share/berth.
std::string default_data_dir();
// Where a client connects; `named` is the value of --socket, empty if not given.
std::string client_socket(const std::string& named);

}  // namespace berth
