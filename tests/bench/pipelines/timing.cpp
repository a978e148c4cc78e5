#include "timing.hpp"

#include <algorithm>
#include <cstddef>

namespace bench {

Side repeated(std::function<double()> once) {
    return [once = std::move(once)](std::chrono::milliseconds block) {
        const auto start = Clock::now();
        std::vector<double> times;
        do {
            times.push_back(once());
        } while (times.size() < most && Clock::now() - start < block);
        return times;
    };
}

Side timed(std::function<void()> once) {
    return repeated([once = std::move(once)] {
        const auto start = Clock::now();
        once();
        return millisecondsSince(start);
    });
}

double percentile(std::vector<double>& values, double share) {
    const auto at = std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())));
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(at));
    return values[at];
}

double median(std::vector<double> values) { return percentile(values, 0.5); }

std::pair<double, std::optional<double>> compare(const Side& one, const Side& other, const Effort& effort) {
    std::vector<double> ones, others;
    (void)one(std::chrono::milliseconds(0));
    if (other) (void)other(std::chrono::milliseconds(0));
    for (int round = 0; round < effort.rounds; ++round) {
        for (const double ms : one(effort.block)) ones.push_back(ms);
        if (!other) continue;
        for (const double ms : other(effort.block)) others.push_back(ms);
    }
    return {median(std::move(ones)), other ? std::optional(median(std::move(others))) : std::nullopt};
}

}  // namespace bench
