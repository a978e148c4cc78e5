#include "stile/error.hpp"

namespace stile {
namespace {

class Category final : public std::error_category {
  public:
    [[nodiscard]] const char* name() const noexcept override { return "stile"; }
    [[nodiscard]] std::string message(int code) const override {
        switch (static_cast<errc>(code)) {
            case errc::invalid_argument: return "invalid argument";
            case errc::wrong_dtype: return "wrong dtype";
            case errc::too_large: return "too large for the device";
            case errc::no_device: return "no open device";
            case errc::no_context: return "no GL context could be made";
            case errc::device_closed: return "the device was closed";
            case errc::device_lost: return "the GL context was lost";
            case errc::out_of_memory: return "out of memory";
            case errc::shader_failed: return "the shader does not compile or link";
            case errc::gl_error: return "the driver reported an error";
            case errc::fence_failed: return "the GL fence failed";
            case errc::timed_out: return "the deadline passed";
            case errc::would_deadlock: return "a blocking call would wait for its own thread";
            case errc::sync_forbidden: return "blocking calls are forbidden here";
            case errc::stream_closed: return "the stream is closed";
        }
        return "unknown";
    }
};

}  // namespace

const std::error_category& category() noexcept {
    static const Category instance;
    return instance;
}

}  // namespace stile
