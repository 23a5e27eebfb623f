// Wide: a 128-bit integer for products of amounts and times, which do not fit in 64 bits.
#pragma once

namespace berth {

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 WideUnsigned;

}  // namespace berth
