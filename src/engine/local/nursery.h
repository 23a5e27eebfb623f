// Nursery: the engine's end of the process that makes its shims (shim/nursery.h). Started when it is first needed, and
// again when it is gone. Engine's thread only.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "engine/local/descriptor.h"

namespace berth {

class Nursery {
 public:
  explicit Nursery(std::string shim_path) : shim_path_(std::move(shim_path)) {}
  ~Nursery() { close(); }
  Nursery(const Nursery&) = delete;
  Nursery& operator=(const Nursery&) = delete;

  // Asks for a shim. False: it cannot be asked (too large, too busy, no such program); start the shim yourself.
  bool ask(const std::string& dir, const std::vector<std::string>& arguments,
           const std::vector<std::string>& environment, int lock, int status);

 private:
  bool start();
  void close();

  std::string shim_path_;
  Descriptor socket_;
  pid_t pid_ = -1;
};

}  // namespace berth
