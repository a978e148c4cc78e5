#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <stile/stile.hpp>

#include "numbers.hpp"
#include "router.hpp"

namespace server {

asio::awaitable<nlohmann::json> answerStats(Service& service, Request request) {
    const Slots::Slot slot = co_await service.slots.enter();
    const auto parse = [body = std::move(request.body)] { return parseNumbers(body); };
    std::vector<float> numbers = co_await service.worker.run(parse);
    const std::size_t count = numbers.size();

    const stile::Tensor x = stile::tensor(std::move(numbers));
    const stile::Tensor mean = x.mean();
    const stile::Tensor deviation = stile::squaredDifference(x, mean).mean().sqrt();
    const stile::Tensor least = x.min(), largest = x.max(), where = x.argMax();
    const stile::Tensor peak = x.softmax().max();
    const auto values =
        co_await stile::data<float, float, float, float, float, std::int32_t>(mean, deviation, least, largest, peak, where);
    // What overflows float32 on the way is infinite, which JSON writes as null.
    const auto& [m, d, lo, hi, p, i] = values;
    co_return nlohmann::json{{"count", count}, {"mean", m[0]}, {"deviation", d[0]},
                             {"min", lo[0]},   {"max", hi[0]}, {"softmax", {{"index", i[0]}, {"probability", p[0]}}}};
}

}  // namespace server
