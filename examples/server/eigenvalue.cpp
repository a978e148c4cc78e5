#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <utility>

#include <stile/stile.hpp>

#include "numbers.hpp"
#include "router.hpp"

namespace server {

/// A request that may take long. It keeps pace with the device: a few steps are recorded, then awaited. So others get their
/// turn in between, little is recorded at any time, and when the client leaves or the deadline passes, the rest is not computed.
asio::awaitable<nlohmann::json> answerEigenvalue(Service& service, Request request) {
    constexpr std::size_t stride = 16;
    const Slots::Slot slot = co_await service.slots.enter();
    const std::size_t maxSteps = service.options.maxSteps;
    const auto parse = [body = std::move(request.body), maxSteps] { return parseIteration(body, maxSteps); };
    Iteration iteration = co_await service.worker.run(parse);

    const std::int64_t n = iteration.size;
    const stile::Tensor matrix = stile::tensor(std::move(iteration.matrix), {n, n});
    stile::Tensor vector = stile::fill({n, 1}, 1 / std::sqrt(static_cast<double>(n)));
    for (std::size_t step = 1; step <= iteration.steps; ++step) {
        const stile::Tensor image = matrix.matMul(vector);
        vector = stile::divNoNan(image, image.square().sum().sqrt());
        if (step % stride == 0) co_await stile::eval(vector);
    }
    const stile::Tensor value = (vector * matrix.matMul(vector)).sum();
    const auto values = co_await stile::data(value, vector);
    co_return nlohmann::json{{"value", std::get<0>(values)[0]}, {"vector", std::get<1>(values)}, {"steps", iteration.steps}};
}

}  // namespace server
