#pragma once

#include <asio/associated_executor.hpp>
#include <asio/async_result.hpp>
#include <asio/awaitable.hpp>
#include <asio/bind_executor.hpp>
#include <asio/use_awaitable.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include <stile/stile.hpp>

namespace dashboard {

using Values = std::vector<std::vector<float>>;

/// What the downloads of one call share.
template <class Handler>
struct Gathering {
    Gathering(Handler&& h, std::size_t count) : handler(std::move(h)), values(count), left(count) {}

    void store(std::size_t i, std::exception_ptr problem, std::vector<float> downloaded) {
        if (problem && !error) error = std::move(problem);
        values[i] = std::move(downloaded);
        if (--left == 0) handler(std::move(error), std::move(values));
    }

    Handler handler;
    Values values;
    std::size_t left;
    std::exception_ptr error;
};

/// Downloads one or more tensors. Each download is an operation of its own; all are asked for in one turn of the loop, so they
/// share one fence. Fails with the first error, when all are done.
inline asio::awaitable<Values> gather(std::vector<stile::Tensor> tensors) {
    return asio::async_initiate<const asio::use_awaitable_t<>&, void(std::exception_ptr, Values)>(
        [](auto handler, const std::vector<stile::Tensor>& asked) {
            const auto executor = asio::get_associated_executor(handler);
            const auto all = std::make_shared<Gathering<decltype(handler)>>(std::move(handler), asked.size());
            for (std::size_t i = 0; i < asked.size(); ++i) {
                const auto store = [all, i](std::exception_ptr error, std::vector<float> values) {
                    all->store(i, std::move(error), std::move(values));
                };
                asked[i].data(asio::bind_executor(executor, store));
            }
        },
        asio::use_awaitable, std::move(tensors));
}

}  // namespace dashboard
