#include "stile/variable.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stile/detail/waiter.hpp"
#include "stile/error.hpp"
#include "tensor/node.hpp"

namespace stile {

struct Variable::State {
    std::mutex mutex;
    Tensor tensor;
    bool keepOnHost = false;
    std::optional<Tensor> saved;  ///< the latest value of which the host has a copy
    bool saving = false;          ///< a copy is on its way; the next begins when it has arrived

    static void keep(const std::shared_ptr<State>& state);

  private:
    class Saver;
};

/// Takes a value that has come to the host. With a lost context it does not come, and neither would a later one.
class Variable::State::Saver final : public detail::Waiter {
  public:
    Saver(std::weak_ptr<State> state, Tensor value) : state_(std::move(state)), value_(std::move(value)) {}

    bool settle(const detail::Outcome& outcome) noexcept override {
        const auto state = state_.lock();
        if (!state) return false;
        bool isLost = false;
        std::shared_ptr<detail::HostValues> copy;
        try {
            if (outcome.error) std::rethrow_exception(outcome.error);
            const detail::RawValues raw = outcome.values.front();
            auto memory = std::make_shared<std::vector<std::byte>>(raw.begin(), raw.end());
            copy = std::make_shared<detail::HostValues>();
            copy->bytes = *memory;
            copy->owner = std::move(memory);
        } catch (const Error& error) {
            isLost = error.code() == errc::device_lost;
        } catch (...) {  // no host memory: the value before stays the saved one
        }
        std::optional<Tensor> old;  // dies after the mutex is free
        {
            const std::lock_guard lock(state->mutex);
            state->saving = false;
            if (copy) {
                // Values come on the GL executor, to which this member belongs.
                value_.node()->saved = std::move(copy);
                old = std::exchange(state->saved, value_);
            } else if (isLost && state->saved) {
                old = std::exchange(state->tensor, *state->saved);
            } else {
                return true;
            }
        }
        keep(state);
        return true;
    }
    [[nodiscard]] bool abandoned() const noexcept override { return state_.expired(); }

  private:
    std::weak_ptr<State> state_;
    Tensor value_;
};

/// Has the value copied to the host, if it is not there and none is on its way.
void Variable::State::keep(const std::shared_ptr<State>& state) {
    Tensor value;
    {
        const std::lock_guard lock(state->mutex);
        value = state->tensor;
        if (!state->keepOnHost || state->saving || (state->saved && value.node() == state->saved->node())) return;
        if (value.node()->isLeaf()) {
            state->saved = value;
            return;
        }
        state->saving = true;
    }
    try {
        (void)detail::enqueue({.targets = {value}, .waiter = std::make_shared<Saver>(state, value), .background = true},
                              nullptr);
    } catch (...) {  // no host memory: the next value tries again
        const std::lock_guard lock(state->mutex);
        state->saving = false;
    }
}

Variable::Variable(Tensor initial, const VariableOptions& options) : state_(std::make_shared<State>()) {
    state_->tensor = std::move(initial);
    state_->keepOnHost = options.keepOnHost;
    State::keep(state_);
}

Tensor Variable::value() const {
    const std::lock_guard lock(state_->mutex);
    return state_->tensor;
}

void Variable::assign(const Tensor& value) {
    {
        const std::lock_guard lock(state_->mutex);
        const Tensor& old = state_->tensor;
        if (value.shape() != old.shape()) {
            throw Error(errc::invalid_argument, "assign: value of shape " + toString(value.shape()) +
                                                    " to a variable of shape " + toString(old.shape()));
        }
        if (value.dtype() != old.dtype()) {
            throw Error(errc::wrong_dtype, "assign: value of dtype " + std::string(name(value.dtype())) +
                                               " to a variable of dtype " + std::string(name(old.dtype())));
        }
        state_->tensor = value;
    }
    State::keep(state_);
}

}  // namespace stile
