// In place of ../window.cpp where GLFW is not there.

#include "window.hpp"

#include <stdexcept>

namespace jank {

bool runWindow(const Options&, const Pipeline&) {
    throw std::runtime_error("--window needs GLFW, which was not there when this was built");
}

}  // namespace jank
