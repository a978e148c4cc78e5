// expect: deleted (function|constructor)
#include <stile/device.hpp>

stile::Device wrong(const stile::Device& device) { return device; }
