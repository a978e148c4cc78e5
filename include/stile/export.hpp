#pragma once

/// Makes a namespace's part, a class or a function visible outside the shared library, which hides everything else: a user's
/// own Asio, fmt or spdlog never meets the library's.
#define STILE_EXPORT __attribute__((visibility("default")))
