// Whole files, read and written in one go; errors as errno, since the caller knows what they mean. Anyone in the engine.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

std::string read_file(const std::string& path);  // empty if it cannot be read
// Creates or overwrites; 0 or errno.
int write_file(const std::string& path, std::string_view text, mode_t mode);
// Of a file that is there already, as those of cgroups are; 0 or errno.
int write_existing(const std::string& path, std::string_view text);
// The file appears whole or not at all; 0 or errno.
int replace_file(const std::string& path, std::string_view text, mode_t mode);
std::vector<std::string> list_dir(const std::string& path);   // names, without . and .., sorted
std::vector<std::string> list_dirs(const std::string& path);  // directories only
void remove_tree(const std::string& path);
// "key=value" lines.
std::map<std::string, std::string> read_keys(const std::string& path);

}  // namespace berth
