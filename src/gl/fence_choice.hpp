#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "gl/egl_fences.hpp"
#include "gl/fence.hpp"

namespace stile::gl {

/// The fences of a context, of the first kind that the driver has and that passes `testFences`: native ones, each with a
/// descriptor; EGL's, which a thread waits for; GL's, which are looked at by a timer. STILE_WAITER=descriptor|egl|timer asks for
/// one of them. One line in the log tells which and why.
///
/// By default the thread is used with Mesa only, whose EGL lets others in meanwhile, and the timer where a CPU does the work
/// inside the calls: there a fence has signalled when it is first looked at. On zink no thread waits (workaround no-waiting-thread).
[[nodiscard]] std::unique_ptr<FenceSource> chooseFences(const Api& gl, const Driver& driver);
/// The same for a value of the variable, or null, and for other sync functions; `why` says what those lack.
[[nodiscard]] std::unique_ptr<FenceSource> chooseFences(const Api& gl, const Driver& driver, const char* wanted, EglSync egl,
                                                        std::string why);

/// Makes a fence, flushes, and expects that its descriptor becomes readable in time and the fence has signalled then. Empty, or
/// what went wrong.
[[nodiscard]] std::string testFences(FenceSource& fences, std::chrono::milliseconds limit);

}  // namespace stile::gl
