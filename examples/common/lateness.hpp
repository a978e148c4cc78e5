#pragma once

#include <asio/awaitable.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace common {

/// How late the loop was in the last minute. A beat is due each millisecond, at moments fixed at the start; its lateness is the
/// time until the loop got to it. Beats that fall due during a standstill all count, so the percentiles speak of time.
class Lateness {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr Clock::duration period = std::chrono::milliseconds(1);

    void record(Clock::time_point due, Clock::time_point seen);

    /// In milliseconds; the upper edge of a bucket that is a tenth wide. 0 if there was no beat.
    [[nodiscard]] double percentile(double percent) const;
    /// The longest, in milliseconds.
    [[nodiscard]] double longest() const;
    [[nodiscard]] std::uint64_t beats() const;

  private:
    /// Each bucket's edge is a tenth above the one before; the first ends at a microsecond, the last takes what is above 10 s.
    static constexpr double firstEdge = 0.001, growth = 1.1;
    static constexpr std::size_t buckets = 172, seconds = 60;

    struct Second {
        std::int64_t when = -1;
        std::array<std::uint32_t, buckets> counts{};
        Clock::duration longest{};
    };
    [[nodiscard]] bool isRecent(const Second& second) const {
        return second.when >= 0 && now_ - second.when < std::int64_t{seconds};
    }

    std::array<Second, seconds> ring_{};
    std::int64_t now_ = 0;
};

/// Records beats for as long as `running`, on the loop that it is spawned on.
asio::awaitable<void> beat(Lateness& lateness, const bool& running);

}  // namespace common
