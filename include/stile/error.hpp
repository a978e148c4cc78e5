#pragma once

#include <string>
#include <system_error>

#include <stile/export.hpp>

namespace stile STILE_EXPORT {

/// What went wrong, as the `code()` of an `Error`. A cancelled operation carries `asio::error::operation_aborted` instead.
enum class errc {
    /// Shapes, axes, ranks or values that the operation is not defined for.
    invalid_argument = 1,
    /// An operation that is not defined for the dtype, or a download as another type than the tensor's.
    wrong_dtype,
    /// A tensor is too large for the device's limits.
    too_large,
    /// There is no open device to compute on.
    no_device,
    /// No GL context could be made; the message lists each attempt.
    no_context,
    /// The device was closed before the operation finished.
    device_closed,
    /// The GL context was lost (a reset, a removed GPU).
    device_lost,
    /// Memory for a buffer could not be had.
    out_of_memory,
    /// A shader did not compile or link; the message has the driver's words.
    shader_failed,
    /// The driver reported an error for a command that should have worked.
    gl_error,
    /// A GL fence could not be made or its wait failed.
    fence_failed,
    /// The deadline passed first.
    timed_out,
    /// A blocking call would have waited for the very thread that it runs on.
    would_deadlock,
    /// A blocking call where the policy forbids one.
    sync_forbidden,
    /// A value for a stream that takes no more.
    stream_closed,
};

/// The category of `errc`, named "stile".
[[nodiscard]] const std::error_category& category() noexcept;

/// What makes an `errc` an error code.
[[nodiscard]] inline std::error_code make_error_code(errc code) noexcept { return {static_cast<int>(code), category()}; }

/// The one exception of the library. `what()` names the operation, its arguments and shapes, and ends in the code's meaning.
class Error : public std::system_error {
  public:
    /// With a code of the library's own.
    Error(errc code, const std::string& message) : std::system_error(make_error_code(code), message) {}
    /// With a code of another category, such as Asio's.
    Error(std::error_code code, const std::string& message) : std::system_error(code, message) {}
};

}  // namespace stile

/// \cond
template <>
struct std::is_error_code_enum<stile::errc> : std::true_type {};
/// \endcond
