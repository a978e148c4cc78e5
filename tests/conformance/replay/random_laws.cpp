#include "random_laws.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "argument.hpp"
#include "mismatch.hpp"
#include "values.hpp"

namespace replay {
namespace {

using nlohmann::json;
using Difference = std::optional<std::string>;

/// A distribution as points with weights: every moment is a sum, also after numbers are cut or rounded to integers.
struct Law {
    struct Point {
        double x, weight;
    };
    std::vector<Point> points{};
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

constexpr int pointCount = 4000;

/// A density over [from, to] of z, with x(z) the number drawn.
template <class Density, class Number>
Law lawOf(double from, double to, Density density, Number number) {
    Law out;
    double total = 0;
    for (int i = 0; i < pointCount; ++i) {
        const double z = from + (to - from) * (i + 0.5) / pointCount;
        out.points.push_back({number(z), density(z)});
        total += out.points.back().weight;
    }
    for (Law::Point& point : out.points) point.weight /= total;
    return out;
}

Law uniform(double low, double high) {
    Law out = lawOf(low, high, [](double) { return 1.0; }, [](double z) { return z; });
    out.low = low;
    out.high = high;
    return out;
}

Law normal(double mean, double deviation, double limit) {
    Law out =
        lawOf(-limit, limit, [](double z) { return std::exp(-z * z / 2); }, [&](double z) { return mean + deviation * z; });
    if (limit > 5) return out;
    // Rounding may step over the ends by a unit in the last place.
    out.low = mean - limit * deviation * (1 + 1e-6);
    out.high = mean + limit * deviation * (1 + 1e-6);
    return out;
}

/// x = exp(z): the density is smooth for every alpha.
Law gamma(double alpha, double beta) {
    const auto density = [=](double z) { return std::exp(alpha * z - std::exp(z)); };
    Law out = lawOf(-40 / std::min(alpha, 1.0), std::log(alpha + 40), density, [=](double z) { return std::exp(z) * beta; });
    out.low = 0;
    return out;
}

template <class Change>
Law changed(Law law, Change change) {
    for (Law::Point& point : law.points) point.x = change(point.x);
    law.low = change(law.low);
    law.high = change(law.high);
    return law;
}
Law cut(const Law& law, const json& dtype) {
    if (dtype == "float32") return law;
    return changed(law, [&](double x) { return dtype == "bool" ? static_cast<double>(std::trunc(x) != 0) : std::trunc(x); });
}
Law rounded(const Law& law, const json& dtype) {
    return dtype == "float32" ? law : changed(law, [](double x) { return std::round(x); });
}

Law lawFor(const std::string& op, const Arguments& a, const json& dtype) {
    if (op == "randomUniform") return cut(uniform(a[1].number(0), a[2].number(1)), dtype);
    if (op == "randomUniformInt") {
        Law law = changed(uniform(a[1].number(), a[2].number()), [](double x) { return std::floor(x); });
        law.high -= 1;
        return law;
    }
    if (op == "randomNormal") return rounded(normal(a[1].number(0), a[2].number(1), 8), dtype);
    if (op == "randomStandardNormal") return rounded(normal(0, 1, 8), dtype);
    if (op == "truncatedNormal") return rounded(normal(a[1].number(0), a[2].number(1), 2), dtype);
    return rounded(gamma(a[1].number(), a[2].number(1)), dtype);
}

/// How far an average of so many may lie from its expectation: six standard deviations, one draw in five hundred million.
double allowed(double variance, double count) { return 6 * std::sqrt(variance / count) + 1e-6; }

std::string off(const char* what, double actual, double expected, double allowed) {
    return std::string(what) + ' ' + std::to_string(actual) + " instead of " + std::to_string(expected) + " ± " +
           std::to_string(allowed);
}

Difference checkLaw(const Law& law, const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] >= law.low && values[i] <= law.high) continue;
        return '[' + std::to_string(i) + "]: " + std::to_string(values[i]) + " is outside " + std::to_string(law.low) + " … " +
               std::to_string(law.high);
    }
    const auto moment = [&](double center, int power) {
        double sum = 0;
        for (const auto& [x, weight] : law.points) sum += weight * std::pow(x - center, power);
        return sum;
    };
    const auto sample = [&](double center, int power) {
        double sum = 0;
        for (const double x : values) sum += std::pow(x - center, power);
        return sum / static_cast<double>(values.size());
    };
    if (values.empty()) return {};
    const auto count = static_cast<double>(values.size());
    const double mean = moment(0, 1);
    const double variance = moment(mean, 2);
    if (const double bound = allowed(variance, count); !(std::abs(sample(0, 1) - mean) <= bound)) {
        return off("mean", sample(0, 1), mean, bound);
    }
    // The variance of a few draws is far from normally distributed.
    if (values.size() < 30) return {};
    const double spread = moment(mean, 4) - variance * variance;
    if (const double bound = allowed(spread, count); !(std::abs(sample(mean, 2) - variance) <= bound)) {
        return off("variance", sample(mean, 2), variance, bound);
    }
    return {};
}

std::vector<double> numbersOf(const json& tensor) {
    std::vector<double> out;
    for (const json& item : tensor["data"]) out.push_back(toNumber(item));
    return out;
}

/// Each element is 0 or x / (1 - rate), and about 1 - rate of them stay.
Difference checkDropout(const Arguments& a, const std::vector<double>& values) {
    const std::vector<double> x = numbersOf(a[0].json().is_object() ? a[0].json() : json{{"data", a[0].json()}});
    const double rate = a[1].number();
    double kept = 0;
    double all = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double whole = x[i] / (1 - rate);
        const bool stays = std::abs(values[i] - whole) <= 1e-5 * std::abs(whole);
        if (!stays && values[i] != 0) return '[' + std::to_string(i) + "]: neither 0 nor " + std::to_string(whole);
        if (x[i] == 0) continue;
        kept += stays ? 1 : 0;
        all += 1;
    }
    // With a noise shape elements share their fate.
    if (all == 0 || a[2].given()) return {};
    const double bound = allowed(rate * (1 - rate), all);
    if (std::abs(kept / all - (1 - rate)) > bound) return off("kept", kept / all, 1 - rate, bound);
    return {};
}

/// The counts of each outcome against its probability, row by row.
Difference checkMultinomial(const Arguments& a, const json& actual) {
    const json& logits = a[0].json();
    std::vector<double> weights = numbersOf(logits.is_object() ? logits : json{{"data", logits}});
    const bool batched = logits.is_object() && logits["shape"].size() == 2;
    const std::size_t rows = batched ? logits["shape"][0].get<std::size_t>() : 1;
    const std::size_t outcomes = weights.size() / rows;
    const std::vector<double> drawn = numbersOf(actual);
    const std::size_t draws = drawn.size() / rows;
    if (!a[3].flag(false)) {
        for (double& weight : weights) weight = std::exp(weight);
    }
    for (std::size_t row = 0; row < rows; ++row) {
        double total = 0;
        for (std::size_t k = 0; k < outcomes; ++k) total += weights[row * outcomes + k];
        std::vector<double> share(outcomes, 0);
        for (std::size_t i = 0; i < draws; ++i) {
            const double k = drawn[row * draws + i];
            if (!(k >= 0 && k < static_cast<double>(outcomes))) return "outcome " + std::to_string(k) + " does not exist";
            share[static_cast<std::size_t>(k)] += 1.0 / static_cast<double>(draws);
        }
        for (std::size_t k = 0; k < outcomes; ++k) {
            const double p = weights[row * outcomes + k] / total;
            // A rare outcome may come a few times more often.
            const double bound =
                allowed(p * (1 - p), static_cast<double>(draws)) + (p > 0 ? 5.0 / static_cast<double>(draws) : 0);
            if (std::abs(share[k] - p) > bound) return off("share", share[k], p, bound);
        }
    }
    return {};
}

constexpr std::array<std::string_view, 8> randomOperations{
    "randomUniform",   "randomUniformInt", "randomNormal", "randomStandardNormal",
    "truncatedNormal", "randomGamma",      "dropout",      "multinomial",
};

}  // namespace

bool isRandom(std::string_view op) { return std::ranges::find(randomOperations, op) != randomOperations.end(); }

Difference randomDifference(const Case& recorded, const json& all) {
    const bool list = recorded.result().is_array();
    const json& expected = list ? recorded.result()[0] : recorded.result();
    const json& actual = list ? all[0] : all;
    for (const char* key : {"shape", "dtype"}) {
        if (expected[key] != actual[key]) {
            return std::string(key) + ": " + actual[key].dump() + " instead of " + expected[key].dump();
        }
    }
    const Arguments a(&recorded.arguments(), "args");
    if (recorded.op == "multinomial") return checkMultinomial(a, actual);
    if (recorded.op == "dropout") return checkDropout(a, numbersOf(actual));
    return checkLaw(lawFor(recorded.op, a, actual["dtype"]), numbersOf(actual));
}

}  // namespace replay
