#pragma once

#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include <stile/testing.hpp>

#include "gl/context.hpp"

namespace test {

[[nodiscard]] inline bool environmentSays(const char* name, std::string_view value) {
    const char* text = std::getenv(name);
    return text && std::string_view(text) == value;
}

/// A context that follows a script: with STILE_TEST_DRIVER=fake one without a driver, else over the driver of the environment.
[[nodiscard]] inline std::shared_ptr<stile::testing::ScriptedContext> scriptedContext(stile::testing::Script script = {}) {
    std::shared_ptr<stile::GlContext> real;
    if (!environmentSays("STILE_TEST_DRIVER", "fake")) {
        real = stile::gl::openHeadless({.es = environmentSays("STILE_API", "es")});
        real->doneCurrent();
    }
    return std::make_shared<stile::testing::ScriptedContext>(std::move(script), std::move(real));
}

}  // namespace test
