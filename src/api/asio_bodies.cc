// The bodies of Asio and Beast, compiled once for the whole program (BOOST_*_SEPARATE_COMPILATION).
#include <utility>

#include <boost/asio/impl/src.hpp>
#include <boost/beast/src.hpp>
