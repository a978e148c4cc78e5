#pragma once

namespace test {

#if defined(__has_feature)
#define STILE_HAS_FEATURE(name) __has_feature(name)
#else
#define STILE_HAS_FEATURE(name) 0
#endif

/// Whether the thread sanitizer watches: it has a thread of its own, which wakes now and then.
#if defined(__SANITIZE_THREAD__) || STILE_HAS_FEATURE(thread_sanitizer)
inline constexpr bool threadSanitizer = true;
#else
inline constexpr bool threadSanitizer = false;
#endif

/// By how much bounds on times are widened in builds with a sanitizer. They are not optimised either: up to 15 times slower.
#if defined(__SANITIZE_ADDRESS__) || STILE_HAS_FEATURE(address_sanitizer)
inline constexpr int slowness = 15;
#else
inline constexpr int slowness = threadSanitizer ? 15 : 1;
#endif

#undef STILE_HAS_FEATURE

}  // namespace test
