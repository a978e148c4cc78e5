#include "stile/ops/strings.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "ops/check.hpp"
#include "ops/on_host.hpp"

namespace stile::string {
namespace {

constexpr const char* op = "stringNGrams";

using Tokens = std::span<const std::string>;

/// The n-grams of one sequence of tokens: those of this width with so many pads on each side.
class Grams {
  public:
    Grams(std::int64_t tokens, std::int64_t width, std::int64_t padWidth) : tokens_(tokens), width_(width), pads_(padWidth) {}

    [[nodiscard]] std::int64_t count() const { return std::max<std::int64_t>(0, tokens_ + 2 * pads_ - width_ + 1); }

    /// The one that starts at `first`, counted from the first pad.
    [[nodiscard]] std::string at(std::int64_t first, Tokens tokens, const NGramOptions& options) const {
        std::string text;
        for (std::int64_t i = first; i < first + width_; ++i) {
            if (i > first) text += options.separator;
            const bool left = i < pads_, right = i >= pads_ + tokens_;
            text += left ? options.leftPad : right ? options.rightPad : tokens[static_cast<std::size_t>(i - pads_)];
        }
        return text;
    }

  private:
    std::int64_t tokens_, width_, pads_;
};

/// The kinds of n-grams that a sequence of so many tokens has.
std::vector<Grams> gramsOf(std::int64_t tokens, const std::vector<std::int64_t>& widths, const NGramOptions& options) {
    std::vector<Grams> all;
    std::int64_t count = 0;
    for (const std::int64_t width : widths) {
        const std::int64_t pads = options.padWidth < 0 ? width - 1 : std::min(options.padWidth, width - 1);
        count += all.emplace_back(tokens, width, pads).count();
    }
    if (count == 0 && tokens > 0 && options.preserveShortSequences) {
        const std::int64_t pads = std::max<std::int64_t>(options.padWidth, 0);
        all.emplace_back(tokens, tokens + 2 * pads, pads);
    }
    return all;
}

std::vector<std::int32_t> splitsOf(const Tensor& data, const Tensor& dataSplits) {
    const auto fail = [&](const char* why) {
        ops::fail(op, "{}: data {}, dataSplits {}", why, toString(data.shape()), toString(dataSplits.shape()));
    };
    ops::expect(op, "data", data, DType::string);
    ops::expect(op, "dataSplits", dataSplits, DType::int32);
    if (data.rank() != 1 || dataSplits.rank() != 1) fail("no lists");
    const auto known = detail::hostValues(*dataSplits.node());
    if (!known) fail("the splits are not on the host");
    const auto splits = detail::elementsOf<std::int32_t>(known->bytes);
    if (splits.empty() ? data.size() > 0 : splits.front() != 0 || splits.back() != data.size()) {
        fail("the splits do not lead from 0 to the end");
    }
    if (!std::ranges::is_sorted(splits)) fail("the splits fall");
    return {splits.begin(), splits.end()};
}

}  // namespace

NGrams stringNGrams(const Tensor& data, const Tensor& dataSplits, const std::vector<std::int64_t>& nGramWidths,
                    const NGramOptions& options) {
    const std::vector<std::int32_t> splits = splitsOf(data, dataSplits);
    for (const std::int64_t width : nGramWidths) {
        if (width < 1 || width >= ops::beyondInt32) ops::fail(op, "width {} in [{}]", width, fmt::join(nGramWidths, ", "));
    }
    const Tokens tokens = ops::elementsOf<std::string>(data);
    std::vector<std::string> out;
    std::vector<std::int32_t> ends(splits.empty() ? 0 : 1);
    for (std::size_t i = 1; i < splits.size(); ++i) {
        const Tokens sequence =
            tokens.subspan(static_cast<std::size_t>(splits[i - 1]), static_cast<std::size_t>(splits[i] - splits[i - 1]));
        if (!tokens.empty()) {
            for (const Grams& grams : gramsOf(splits[i] - splits[i - 1], nGramWidths, options)) {
                (void)ops::shapeOf(op, {static_cast<std::int64_t>(out.size()) + grams.count()});
                for (std::int64_t first = 0; first < grams.count(); ++first) out.push_back(grams.at(first, sequence, options));
            }
        }
        ends.push_back(static_cast<std::int32_t>(out.size()));
    }
    const Shape all(static_cast<std::int64_t>(out.size()));
    return {ops::onHost(op, all, std::move(out)), ops::onHost(op, dataSplits.shape(), std::move(ends))};
}

}  // namespace stile::string
