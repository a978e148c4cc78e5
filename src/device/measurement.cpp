#include "stile/detail/measurement.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "device/device_core.hpp"
#include "stile/error.hpp"
#include "trace/activity.hpp"

namespace stile::detail {
namespace {

/// What a device holds and has done at a moment.
struct Moment {
    explicit Moment(const DeviceCore& core)
        : bytes(core.residentBytes),
          tensors(core.residentNodes),
          uploads(core.counters().uploadNanoseconds),
          waits(core.counters().waitNanoseconds) {}

    std::chrono::steady_clock::time_point time = std::chrono::steady_clock::now();
    std::size_t bytes;
    std::int64_t tensors;
    std::int64_t uploads, waits;
};

double milliseconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; }

}  // namespace

struct Measurement::State {
    explicit State(DeviceCore& device) : session(device.activity().watch()), begin(device), end(begin) {}

    std::shared_ptr<trace::Session> session;
    Moment begin, end;
    int asked = 0;
};

Measurement::Measurement(std::shared_ptr<DeviceCore> device)
    : device_(std::move(device)), state_(std::make_unique<State>(*device_)) {}

Measurement::~Measurement() { device_->activity().unwatch(state_->session); }

void Measurement::stop() {
    state_->end = Moment(*device_);
    device_->activity().unwatch(state_->session);
}

bool Measurement::isComplete() {
    constexpr int enough = 100;
    const std::lock_guard lock(state_->session->mutex);
    return state_->session->untimed == 0 || ++state_->asked > enough;
}

Timing Measurement::timing() const {
    const Moment &begin = state_->begin, &end = state_->end;
    Timing out{.wallMs = std::chrono::duration<double, std::milli>(end.time - begin.time).count(),
               .kernelMs = {},
               .uploadWaitMs = milliseconds(end.uploads - begin.uploads),
               .downloadWaitMs = milliseconds(end.waits - begin.waits)};
    const std::lock_guard lock(state_->session->mutex);
    if (state_->session->timed && state_->session->untimed == 0) {
        out.kernelMs = 0;
        for (const KernelProfile& kernel : state_->session->kernels) *out.kernelMs += kernel.kernelTimeMs.value_or(0);
    }
    return out;
}

ProfileInfo Measurement::profile() const {
    const Moment &begin = state_->begin, &end = state_->end;
    ProfileInfo out;
    out.newBytes = static_cast<std::int64_t>(end.bytes) - static_cast<std::int64_t>(begin.bytes);
    out.newTensors = end.tensors - begin.tensors;
    out.peakBytes = std::max(begin.bytes, end.bytes);
    const std::lock_guard lock(state_->session->mutex);
    out.kernels = state_->session->kernels;
    for (const KernelProfile& kernel : out.kernels) {
        out.peakBytes = std::max(out.peakBytes, kernel.totalBytesSnapshot);
        if (std::ranges::find(out.kernelNames, kernel.name) == out.kernelNames.end()) out.kernelNames.push_back(kernel.name);
    }
    return out;
}

std::shared_ptr<DeviceCore> deviceToMeasure(const char* op) {
    const HomePtr home = defaultHome();
    if (!home) throw Error(errc::no_device, std::string(op) + ": open a stile::Device first");
    return std::static_pointer_cast<DeviceCore>(home);
}

}  // namespace stile::detail
