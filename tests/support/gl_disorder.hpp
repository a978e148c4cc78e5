#pragma once

#include "gl/api.hpp"

namespace test {

/// Makes objects of every kind and binds them everywhere, and sets switches and values to what is not their default: the state of
/// an application in the middle of its work. Nothing is given back; the context's end does that.
void disorder(const stile::gl::Api& gl, bool es);

}  // namespace test
