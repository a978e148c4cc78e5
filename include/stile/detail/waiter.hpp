#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <stile/detail/filling.hpp>
#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile {
struct ReopenOptions;
namespace trace {
class Ticket;
}
}  // namespace stile

namespace stile::detail {

class DeviceCore;

/// The elements of one downloaded tensor as a device stores them, or std::string objects. Valid during the call that hands it over.
using RawValues = std::span<const std::byte>;

/// What a request ends with: an error, or the values of its targets in order (none where only their completion was asked for).
struct Outcome {
    std::exception_ptr error{};
    std::span<const RawValues> values{};
    /// Of a lease: what keeps its values valid after the call.
    std::shared_ptr<const void> memory{};
};

/// How long a call may take.
struct Deadline {
    std::chrono::nanoseconds after{};
    std::string message{};
    bool ownTimer = true;  ///< the waiter counts the time itself
};

/// Somebody who waits for a request. Settled exactly once, on any thread.
class STILE_EXPORT Waiter {
  public:
    virtual ~Waiter() = default;
    /// Whether the outcome was taken: not if nobody waits any more.
    virtual bool settle(const Outcome& outcome) noexcept = 0;
    /// Whether nobody waits any more, so that work not yet begun may be left out.
    [[nodiscard]] virtual bool abandoned() const noexcept = 0;
    /// Sets the call's deadline.
    virtual void arm(const Deadline&) {}
    /// The deadline has passed.
    virtual void expire() noexcept {}

    /// What reports tell of it: made when a device takes its request.
    std::shared_ptr<trace::Ticket> ticket;
    /// Its name in the trace; 0 if there is none.
    std::uint64_t traceId = 0;
};

/// Tensors that are wanted.
struct Request {
    std::vector<Tensor> targets{};
    bool read = true;    ///< copy the values out; otherwise only wait until they are computed
    bool lease = false;  ///< the waiter keeps the staging memory
    std::chrono::nanoseconds deadline{0};
    std::shared_ptr<Waiter> waiter{};
    std::shared_ptr<ReopenOptions> reopen{};  ///< asks for a new context first, if the old one is lost
    bool background = false;                  ///< in no hurry: goes with what is asked for next, or a little later
    bool warmUp = false;                      ///< asks for the programs alone
};

/// Starts what was asked for in one turn of an event loop, when it is called or destroyed. Move-only.
class STILE_EXPORT Flush {
  public:
    Flush() = default;
    explicit Flush(std::shared_ptr<DeviceCore> core) noexcept : core_(std::move(core)) {}
    Flush(Flush&&) noexcept = default;
    Flush& operator=(Flush&&) = delete;
    Flush(const Flush&) = delete;
    Flush& operator=(const Flush&) = delete;
    ~Flush() { (*this)(); }

    void operator()() noexcept;
    explicit operator bool() const noexcept { return core_ != nullptr; }

  private:
    std::shared_ptr<DeviceCore> core_;
};

/// Takes a request. Values that are on the host settle it at once, and so does an error. Otherwise it starts when the returned
/// Flush is called; an empty one means that the turn of this context has one on its way already. A null context starts it now.
/// `device` is for requests without targets.
[[nodiscard]] STILE_EXPORT Flush enqueue(Request request, const void* context, std::shared_ptr<DeviceCore> device = nullptr);

/// \throws Error `wrong_dtype` if the tensor's elements are not read as this dtype.
STILE_EXPORT void expectDType(const char* op, const Tensor& tensor, DType asked);

/// \throws Error `invalid_argument` if this is not the number of the tensor's elements.
STILE_EXPORT void expectSize(const char* op, const Tensor& tensor, std::size_t size);

/// The values as nested brackets.
[[nodiscard]] STILE_EXPORT std::string printed(const Tensor& tensor, RawValues raw);

/// \throws Error `no_device` if there is none: the Device was moved from.
STILE_EXPORT void expectDevice(const char* op, const std::shared_ptr<DeviceCore>& device);

/// \throws Error `invalid_argument` if tensors of one request are on different devices.
STILE_EXPORT void expectOneDevice(const char* op, std::span<const Tensor> tensors);

/// \throws Error `invalid_argument` if a tensor is on another device than this.
STILE_EXPORT void expectOnDevice(const char* op, std::span<const Tensor> tensors, const std::shared_ptr<DeviceCore>& device);

/// Elements that are stored as the T that they are read as: all but bool.
template <Element T>
[[nodiscard]] std::span<const T> elementsOf(RawValues raw) noexcept {
    return {reinterpret_cast<const T*>(raw.data()), raw.size() / sizeof(T)};
}

/// Converts downloaded elements.
template <Element T>
[[nodiscard]] std::vector<Stored<T>> storedValues(RawValues raw) {
    if constexpr (std::is_same_v<T, bool>) {
        std::vector<std::uint8_t> out(raw.size() / 4);
        // Little-endian ints that are 0 or 1.
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = raw[4 * i] != std::byte{0} ? 1 : 0;
        return out;
    } else {
        const std::span<const T> elements = elementsOf<T>(raw);
        std::vector<T> out;
        out.reserve(elements.size());
        expectFilling(out.data(), raw.size());
        out.assign(elements.begin(), elements.end());
        return out;
    }
}

template <Element T>
[[nodiscard]] std::vector<T> flatValues(RawValues raw) {
    if constexpr (std::is_same_v<T, bool>) {
        const std::vector<std::uint8_t> bytes = storedValues<bool>(raw);
        return std::vector<bool>(bytes.begin(), bytes.end());
    } else {
        return storedValues<T>(raw);
    }
}

}  // namespace stile::detail
