#include "frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

#include <stile/ops.hpp>

#include "measures.hpp"

namespace dashboard {
namespace {

constexpr std::array<std::string_view, 5> fields{"u", "v", "reaction", "growth", "slope"};
constexpr std::array<std::string_view, 4> images{"u", "v", "reaction", "slope"};

stile::Tensor shrink(const stile::Tensor& field) {
    constexpr auto size = static_cast<std::int64_t>(imageSize);
    return stile::image::resizeBilinear(field.expandDims(-1), {size, size}, {.halfPixelCenters = true});
}

}  // namespace

std::vector<stile::Tensor> record(const Simulation& simulation) {
    const stile::Tensor u = simulation.u(), v = simulation.v(), reaction = simulation.reaction(), slope = simulation.slope();
    std::vector<stile::Tensor> out{shrink(u), shrink(v), shrink(reaction), shrink(slope)};
    for (const stile::Tensor& field : {u, v, reaction, simulation.growth(), slope}) {
        for (stile::Tensor& value : measure(field)) out.push_back(std::move(value));
    }
    return out;
}

std::string drawImages(const Values& values, Style style) {
    std::string text;
    for (const std::string_view name : images) text += fmt::format("{:<{}}", name, imageSize + 2);
    text += '\n';
    for (std::size_t i = 0; i < lines(imageSize, style); ++i) {
        for (std::size_t image = 0; image < images.size(); ++image) {
            const std::span<const float> pixels = values[image];
            text += line(pixels, imageSize, i, std::ranges::max(pixels), style) + "  ";
        }
        text += '\n';
    }
    return text;
}

Table::Table() : histories_(fields.size() * measureNames.size()) {}

void Table::add(const Values& values) {
    for (std::size_t i = 0; i < histories_.size(); ++i) histories_[i].add(values[images.size() + i].front());
}

std::string Table::draw(Style style) const {
    constexpr std::size_t width = 15;
    std::string text = fmt::format("{:<10}", "");
    for (const std::string_view name : measureNames) text += fmt::format("{:<{}}", name, width);
    text += '\n';
    for (std::size_t i = 0; i < histories_.size(); ++i) {
        if (i % measureNames.size() == 0) text += fmt::format("{:<10}", fields[i / measureNames.size()]);
        const History& history = histories_[i];
        text += style == Style::colour ? fmt::format("{:<9.2g}{} ", history.last(), history.sparkline(5))
                                       : fmt::format("{:<{}.7g}", history.last(), width);
        if ((i + 1) % measureNames.size() == 0) text += '\n';
    }
    return text;
}

}  // namespace dashboard
