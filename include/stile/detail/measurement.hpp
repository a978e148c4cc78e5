#pragma once

#include <memory>

#include <stile/export.hpp>
#include <stile/profile_info.hpp>

namespace stile::detail {

class DeviceCore;

/// Watches a device from its construction to its end.
class STILE_EXPORT Measurement {
  public:
    /// Begins. \throws Error `no_device`.
    explicit Measurement(std::shared_ptr<DeviceCore> device);
    ~Measurement();
    Measurement(const Measurement&) = delete;
    Measurement& operator=(const Measurement&) = delete;

    [[nodiscard]] const std::shared_ptr<DeviceCore>& device() const noexcept { return device_; }
    /// What was measured is done: the clock stops.
    void stop();
    /// Whether the GPU has told all its times. It is asked a hundred times at most.
    [[nodiscard]] bool isComplete();
    [[nodiscard]] Timing timing() const;
    [[nodiscard]] ProfileInfo profile() const;

  private:
    struct State;
    std::shared_ptr<DeviceCore> device_;
    std::unique_ptr<State> state_;
};

/// \throws Error `no_device` if there is none.
[[nodiscard]] STILE_EXPORT std::shared_ptr<DeviceCore> deviceToMeasure(const char* op);

}  // namespace stile::detail
