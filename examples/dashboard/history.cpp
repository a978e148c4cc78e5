#include "history.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace dashboard {

void History::add(float value) {
    values_.push_back(value);
    if (values_.size() > most) values_.pop_front();
}

std::string History::sparkline(std::size_t width) const {
    constexpr std::array<std::string_view, 8> bars{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const std::size_t count = std::min(width, values_.size());
    const auto begin = values_.end() - static_cast<std::ptrdiff_t>(count);
    const auto [least, largest] = std::minmax_element(begin, values_.end());
    std::string text(width - count, ' ');
    for (auto value = begin; value != values_.end(); ++value) {
        const float range = *largest - *least;
        const float height = range > 0 ? (*value - *least) / range * (bars.size() - 1) + 0.5F : 0;
        text += bars[std::min(static_cast<std::size_t>(height), bars.size() - 1)];
    }
    return text;
}

}  // namespace dashboard
