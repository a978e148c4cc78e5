#include "stile/device.hpp"

#include <fmt/format.h>

#include <future>
#include <sstream>
#include <utility>

#include "device/device_core.hpp"
#include "device/gl_thread.hpp"
#include "device/headless.hpp"
#include "device/report.hpp"
#include "log/log.hpp"
#include "stile/error.hpp"
#include "tensor/node.hpp"

namespace stile {

Device Device::open(const DeviceOptions& options) {
    auto owned = std::make_unique<detail::GlThread>();
    detail::GlThread& thread = *owned;
    std::shared_ptr<detail::DeviceCore> core;
    std::promise<void> opened;
    thread.post([&] {
        try {
            std::shared_ptr<GlContext> context = options.context ? options.context : detail::openHeadless(options);
            core = std::make_shared<detail::DeviceCore>(std::move(owned), options);
            core->openHere(std::move(context));
            detail::nameThread();
            opened.set_value();
        } catch (...) {
            opened.set_exception(std::current_exception());
        }
    });
    try {
        opened.get_future().get();
    } catch (...) {
        if (core) core->close();
        throw;
    }
    offerDefaultHome(core);
    return Device(std::move(core));
}

Device Device::attachTo(std::unique_ptr<detail::GlExecutor> executor, const std::function<void*(const char*)>& loader,
                        const DeviceOptions& options) {
    auto core = std::make_shared<detail::DeviceCore>(std::move(executor), options);
    core->openHere(loader);
    if (core->driver().software) {
        log::warn("{}: {} runs kernels inside GL calls, so this loop stands still while they run; Device::open keeps it free",
                  options.label, core->driver().renderer);
    }
    offerDefaultHome(core);
    return Device(std::move(core));
}

Device& Device::operator=(Device&& other) noexcept {
    if (this != &other) {
        close();
        core_ = std::move(other.core_);
    }
    return *this;
}

Device::~Device() { close(); }

void Device::close() noexcept {
    if (core_) core_->close();
}
bool Device::isOpen() const noexcept { return core_ && core_->isOpen(); }
void Device::flush() const { held("flush").flush(); }
MemoryInfo Device::memory() const { return held("memory").memory(); }
DeviceStats Device::stats() const { return held("stats").stats(); }
DeviceStatus Device::status() const { return held("status").status(); }
std::string Device::report() const { return detail::reportOf(held("report")); }
const DriverInfo& Device::driver() const { return held("driver").driver(); }
const std::string& Device::label() const { return held("label").label(); }

detail::DeviceCore& Device::held(const char* op) const {
    detail::expectDevice(op, core_);
    return *core_;
}

Tensor Tensor::on(const Device& device) const {
    detail::expectDevice("on", device.core());
    const detail::HomePtr home = device.core();
    if (node_->home == home) return *this;
    if (node_->home) {
        throw Error(errc::invalid_argument, fmt::format("on: {} tensor {} is on device {}, not {}", name(dtype()),
                                                        toString(shape()), node_->home->label(), home->label()));
    }
    if (node_->isLeaf()) {
        auto bound = std::make_shared<detail::Node>(node_->primitive, node_->name, node_->shape, node_->dtype, home,
                                                    std::vector<detail::NodePtr>{});
        bound->host = node_->host;
        return Tensor(std::move(bound));
    }
    // Recorded while no device was open: the record itself stays as it is, for whoever else holds it.
    auto bound = std::make_shared<detail::Node>(detail::prim::Alias{}, node_->name, node_->shape, node_->dtype, home,
                                                std::vector<detail::NodePtr>{node_});
    home->recorded(bound);
    return Tensor(std::move(bound));
}

namespace detail {
namespace {

std::shared_ptr<DeviceCore> coreOf(std::span<const Tensor> targets) {
    for (const Tensor& target : targets) {
        if (target.node()->home) return std::static_pointer_cast<DeviceCore>(target.node()->home);
    }
    return std::static_pointer_cast<DeviceCore>(defaultHome());
}

}  // namespace

void Flush::operator()() noexcept {
    if (const auto core = std::exchange(core_, nullptr)) core->flush();
}

Flush enqueue(Request request, const void* context, std::shared_ptr<DeviceCore> device) {
    expectOneDevice("download", request.targets);
    // What is on the host, or has no elements, needs no device; nothing at all neither.
    std::vector<std::shared_ptr<HostValues>> held;
    std::vector<RawValues> values;
    for (const Tensor& target : request.targets) {
        const Node& node = *target.node();
        if (node.shape.size() > 0) {
            held.push_back(hostValues(node));
            if (!held.back()) break;
            values.push_back(held.back()->bytes);
        } else {
            values.emplace_back();
        }
    }
    if (!device && values.size() == request.targets.size()) {
        request.waiter->settle({.values = values, .memory = held.empty() ? nullptr : held.front()});
        return {};
    }
    if (!device) device = coreOf(request.targets);
    if (!device) {
        request.waiter->settle({.error = std::make_exception_ptr(Error(errc::no_device, "open a stile::Device first"))});
        return {};
    }
    return device->enqueue(std::move(request), context);
}

void expectDType(const char* op, const Tensor& tensor, DType asked) {
    if (tensor.dtype() == asked) return;
    const char* advice = tensor.dtype() == DType::string      ? "ask for std::string"
                         : tensor.dtype() == DType::complex64 ? "ask for std::complex<float>, or use real, imag or abs"
                                                              : "use cast";
    throw Error(errc::wrong_dtype, fmt::format("{}: {} tensor {} asked for as {}; {}", op, name(tensor.dtype()),
                                               toString(tensor.shape()), name(asked), advice));
}

void expectSize(const char* op, const Tensor& tensor, std::size_t size) {
    if (size != static_cast<std::size_t>(tensor.size())) {
        throw Error(errc::invalid_argument, fmt::format("{}: {} tensor {} has {} elements, the memory room for {}", op,
                                                        name(tensor.dtype()), toString(tensor.shape()), tensor.size(), size));
    }
}

void expectDevice(const char* op, const std::shared_ptr<DeviceCore>& device) {
    if (!device) throw Error(errc::no_device, std::string(op) + ": the Device was moved from");
}

void expectOneDevice(const char* op, std::span<const Tensor> tensors) {
    const Home* home = nullptr;
    for (const Tensor& tensor : tensors) {
        const Home* its = tensor.node()->home.get();
        if (its && home && its != home) {
            throw Error(errc::invalid_argument,
                        fmt::format("{}: tensors on two devices, {} and {}", op, home->label(), its->label()));
        }
        if (its) home = its;
    }
}

void expectOnDevice(const char* op, std::span<const Tensor> tensors, const std::shared_ptr<DeviceCore>& device) {
    for (const Tensor& tensor : tensors) {
        const HomePtr& home = tensor.node()->home;
        if (home && home != device) {
            throw Error(errc::invalid_argument,
                        fmt::format("{}: {} tensor {} is on device {}, not {}", op, name(tensor.dtype()),
                                    toString(tensor.shape()), home->label(), device->label()));
        }
    }
}

std::string printed(const Tensor& tensor, RawValues raw) {
    std::ostringstream out;
    switch (tensor.dtype()) {
        case DType::float32: out << NdArray<float>(tensor.shape(), storedValues<float>(raw)); break;
        case DType::int32: out << NdArray<std::int32_t>(tensor.shape(), storedValues<std::int32_t>(raw)); break;
        case DType::boolean: out << NdArray<bool>(tensor.shape(), storedValues<bool>(raw)); break;
        case DType::complex64:
            out << NdArray<std::complex<float>>(tensor.shape(), storedValues<std::complex<float>>(raw));
            break;
        case DType::string: out << NdArray<std::string>(tensor.shape(), storedValues<std::string>(raw)); break;
    }
    return std::move(out).str();
}

}  // namespace detail
}  // namespace stile
