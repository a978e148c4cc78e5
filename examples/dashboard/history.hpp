#pragma once

#include <cstddef>
#include <deque>
#include <string>

namespace dashboard {

/// The last values of a number.
class History {
  public:
    void add(float value);
    [[nodiscard]] float last() const { return values_.back(); }
    /// Bars from the least to the largest of the last values, one a value, padded to `width` columns.
    [[nodiscard]] std::string sparkline(std::size_t width) const;

  private:
    static constexpr std::size_t most = 64;
    std::deque<float> values_;
};

}  // namespace dashboard
