#include "stile/ops/einsum.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <string>

#include "ops/check.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/matmul.hpp"
#include "stile/ops/reduce.hpp"
#include "stile/ops/shape.hpp"

namespace stile {
namespace {

constexpr const char* op = "einsum";

/// A tensor whose axes have names. The axes of `...` are '1', '2', …, counted from the last.
struct Term {
    std::string labels;
    Tensor x;

    [[nodiscard]] bool has(char label) const { return labels.find(label) != std::string::npos; }
    [[nodiscard]] std::int64_t extent(char label) const { return x.shape()[static_cast<int>(labels.find(label))]; }
};

/// The axes in this order, those that the tensor lacks with extent 1.
Tensor arranged(const Term& term, const std::string& order) {
    std::vector<int> permutation;
    std::vector<std::int64_t> extents;
    for (const char label : order) {
        if (term.has(label)) permutation.push_back(static_cast<int>(term.labels.find(label)));
        extents.push_back(term.has(label) ? term.extent(label) : 1);
    }
    const bool isOrdered = std::ranges::is_sorted(permutation);
    return reshape(isOrdered ? term.x : transpose(term.x, permutation), extents);
}

/// Sums over the axes that nobody else names.
Term summed(const Term& term, const std::string& kept) {
    std::vector<int> axes;
    Term out;
    for (std::size_t i = 0; i < term.labels.size(); ++i) {
        if (kept.find(term.labels[i]) == std::string::npos) {
            axes.push_back(static_cast<int>(i));
        } else {
            out.labels += term.labels[i];
        }
    }
    out.x = axes.empty() ? term.x : sum(term.x, Axes(axes));
    return out;
}

std::int64_t product(const std::string& labels, const Term& of) {
    std::int64_t n = 1;
    for (const char label : labels) n *= of.extent(label);
    return n;
}

/// The product of two terms, summed over the axes of both that are not kept.
Term multiplied(const Term& left, const Term& right, const std::string& kept) {
    const Term a = summed(left, kept + right.labels), b = summed(right, kept + left.labels);
    std::string batch, inner, rows, columns;
    for (const char label : a.labels) (b.has(label) ? (kept.find(label) != std::string::npos ? batch : inner) : rows) += label;
    for (const char label : b.labels) {
        if (!a.has(label)) columns += label;
    }
    Term out{.labels = batch + rows + columns, .x = {}};
    if (out.labels.size() > Shape::maxRank) {
        ops::fail(op, "{} and {} give more than {} axes", toString(left.x.shape()), toString(right.x.shape()), Shape::maxRank);
    }
    if (inner.empty()) {
        out.x = arranged(a, out.labels) * arranged(b, out.labels);
        return out;
    }
    const std::int64_t n = product(batch, a), m = product(rows, a), k = product(inner, a), p = product(columns, b);
    const Tensor x = reshape(arranged(a, batch + rows + inner), {n, m, k});
    const Tensor y = reshape(arranged(b, batch + inner + columns), {n, k, p});
    std::vector<std::int64_t> extents;
    for (const char label : out.labels) extents.push_back(a.has(label) ? a.extent(label) : b.extent(label));
    out.x = reshape(matMul(x, y), ops::shapeOf(op, extents));
    return out;
}

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// An equation, taken apart and checked against the operands.
class Equation {
  public:
    Equation(std::string_view text, const std::vector<Tensor>& operands) {
        for (const char c : text) {
            if (std::isspace(static_cast<unsigned char>(c)) == 0) text_ += c;
        }
        const std::size_t arrow = text_.find("->");
        if (arrow == std::string::npos) fail("no arrow");
        const std::string left = text_.substr(0, arrow);
        std::vector<std::string> names(1);
        for (const char c : left) c == ',' ? names.emplace_back() : names.back() += c;
        if (names.size() != operands.size()) fail(fmt::format("{} operands", operands.size()));
        for (std::size_t i = 0; i < operands.size(); ++i) terms.push_back(term(names[i], operands[i]));
        broadcastDots();
        result = named(text_.substr(arrow + 2));
    }

    std::vector<Term> terms;
    std::string result;

  private:
    [[noreturn]] void fail(const std::string& why) const { ops::fail(op, "\"{}\": {}", text_, why); }

    /// Letters, with the axes of `...` in their place.
    [[nodiscard]] std::string expanded(const std::string& name, std::size_t dots) const {
        std::string labels;
        for (std::size_t i = 0; i < name.size(); ++i) {
            if (isLetter(name[i])) {
                labels += name[i];
            } else if (name.compare(i, 3, "...") == 0) {
                for (std::size_t k = dots; k > 0; --k) labels += static_cast<char>('0' + k);
                i += 2;
            } else {
                fail(fmt::format("'{}' is neither a letter nor part of ...", name[i]));
            }
        }
        for (const char label : labels) {
            if (std::ranges::count(labels, label) > 1) fail(fmt::format("\"{}\" names an axis twice", name));
        }
        return labels;
    }

    Term term(const std::string& name, const Tensor& x) {
        const auto letters = std::ranges::count_if(name, isLetter);
        const bool hasDots = name.find("...") != std::string::npos;
        const std::int64_t rest = x.rank() - letters;
        if (rest < 0 || (rest > 0 && !hasDots)) fail(fmt::format("\"{}\" for shape {}", name, toString(x.shape())));
        if (hasDots) dots_ = std::max(dots_, static_cast<std::size_t>(rest));
        Term out{.labels = expanded(name, hasDots ? static_cast<std::size_t>(rest) : 0), .x = x};
        for (std::size_t i = 0; i < out.labels.size(); ++i) {
            const char label = out.labels[i];
            const std::int64_t extent = x.shape()[static_cast<int>(i)];
            const auto [known, isNew] = extents_.try_emplace(label, extent);
            if (isNew || known->second == extent) continue;
            if (isLetter(label) || (known->second != 1 && extent != 1)) {
                fail(fmt::format("axis {} has extents {} and {}", label, known->second, extent));
            }
            if (known->second == 1) known->second = extent;
        }
        return out;
    }

    /// An axis of `...` of extent 1 beside a longer one is as good as none.
    void broadcastDots() {
        for (Term& term : terms) {
            std::vector<int> axes;
            std::string labels;
            for (std::size_t i = 0; i < term.labels.size(); ++i) {
                const char label = term.labels[i];
                if (!isLetter(label) && term.extent(label) != extents_.at(label)) {
                    axes.push_back(static_cast<int>(i));
                } else {
                    labels += label;
                }
            }
            if (!axes.empty()) term = {.labels = labels, .x = squeeze(term.x, Axes(axes))};
        }
    }

    [[nodiscard]] std::string named(const std::string& name) const {
        if (name.find("->") != std::string::npos) fail("more than one arrow");
        const std::string labels = expanded(name, dots_);
        for (const char label : labels) {
            if (!extents_.contains(label)) fail(fmt::format("no operand has axis {}", label));
        }
        if (dots_ > 0 && name.find("...") == std::string::npos) fail("the result lacks ...");
        return labels;
    }

    std::string text_;
    std::size_t dots_ = 0;
    std::map<char, std::int64_t> extents_;
};

}  // namespace

Tensor einsum(std::string_view equation, const std::vector<Tensor>& operands) {
    if (operands.empty()) ops::fail(op, "no operands");
    std::vector<Tensor> numbers;
    for (const Tensor& x : operands) numbers.push_back(x.dtype() == DType::boolean ? cast(x, DType::int32) : x);
    Equation what(equation, numbers);
    Term total = what.terms.front();
    for (std::size_t i = 1; i < what.terms.size(); ++i) {
        std::string kept = what.result;
        for (std::size_t k = i + 1; k < what.terms.size(); ++k) kept += what.terms[k].labels;
        total = multiplied(total, what.terms[i], kept);
    }
    return arranged(summed(total, what.result), what.result);
}

}  // namespace stile
