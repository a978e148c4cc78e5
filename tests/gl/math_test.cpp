#define BOOST_TEST_MODULE math
#include "values.hpp"

#include <algorithm>
#include <cmath>
#include <random>

// The functions of shaders/lib/math.glsl against <cmath> in double, over sweeps of their domain and at the inputs where the
// drivers' own functions go wrong. A bound is in units of the last place of the right value (2^-23 relative).
using namespace stile;
using namespace test;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

namespace {

using Function = Tensor (*)(const Tensor&);
using Exact = double (*)(double);

constexpr double ulp = 1.1920928955078125e-7;
/// Below it results are denormal, and a driver may take them for zero.
constexpr double leastNormal = 1.1754943508222875e-38;

/// Evenly spaced numbers, and numbers spread over the magnitudes, all within [low, high].
std::vector<float> sweep(double low, double high, std::vector<float> more = {}) {
    std::vector<float> x = std::move(more);
    std::mt19937 random(7);
    for (int i = 0; i <= 4000; ++i) x.push_back(static_cast<float>(low + (high - low) * i / 4000));
    const double top = std::log2(std::max(std::abs(low), std::abs(high)));
    std::uniform_real_distribution<double> exponent(std::max(top - 60, -125.0), top);
    for (int i = 0; i < 4000; ++i) {
        const double magnitude = std::exp2(exponent(random));
        for (const double value : {magnitude, -magnitude}) {
            if (value >= low && value <= high) x.push_back(static_cast<float>(value));
        }
    }
    std::erase_if(x, [&](float value) { return value < low || value > high; });
    return x;
}

void expectWithin(double ulps, const std::vector<float>& x, const std::vector<float>& actual,
                  const std::vector<double>& expected) {
    double worst = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto a = static_cast<double>(actual[i]);
        const double e = expected[i];
        double off = 0;
        if (std::isnan(e) || std::isnan(a)) {
            off = std::isnan(e) == std::isnan(a) ? 0 : infinity;
        } else if (std::abs(e) > 3.4028235677973366e38) {
            off = std::isinf(a) && std::signbit(a) == std::signbit(e) ? 0 : infinity;
        } else if (std::abs(e) < leastNormal) {
            off = std::abs(a) < 2 * leastNormal ? 0 : infinity;
        } else {
            off = std::abs(a - e) / std::abs(e) / ulp;
        }
        if (off > worst) {
            worst = off;
            at = i;
        }
    }
    BOOST_TEST_MESSAGE("worst " << worst << " ulps");
    BOOST_CHECK_MESSAGE(worst <= ulps, worst << " ulps at " << x[at] << ": " << actual[at] << ", expected " << expected[at]);
}

void check(const char* name, Function function, Exact exact, double ulps, const std::vector<float>& x) {
    BOOST_TEST_CONTEXT(name) {
        BOOST_TEST_MESSAGE(name);
        std::vector<double> expected;
        for (const float value : x) expected.push_back(exact(static_cast<double>(value)));
        expectWithin(ulps, x, function(tensor(x)).dataSync(), expected);
    }
}

double rsqrtOf(double x) { return 1 / std::sqrt(x); }
double sigmoidOf(double x) { return 1 / (1 + std::exp(-x)); }
double softplusOf(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }
double logSigmoidOf(double x) { return -softplusOf(-x); }
double eluOf(double x) { return x < 0 ? std::expm1(x) : x; }

const std::vector<float> edges{0.0F, -0.0F, NaN, infinity, -infinity};

}  // namespace

BOOST_AUTO_TEST_CASE(exponentials) {
    check("exp", exp, std::exp, 2, sweep(-110, 110, {88.72283F, 88.7228394F, -87.3365448F, 1e-30F}));
    check("expm1", expm1, std::expm1, 4, sweep(-100, 100, {1e-4F, -1e-4F, 1e-20F, 0.5F, -0.5F, 1e-38F}));
    check("sigmoid", sigmoid, sigmoidOf, 4, sweep(-120, 120));
    check("softplus", softplus, softplusOf, 4, sweep(-100, 1000));
    check("logSigmoid", logSigmoid, logSigmoidOf, 4, sweep(-1000, 80));
    check("elu", elu, eluOf, 4, sweep(-100, 100));
}

BOOST_AUTO_TEST_CASE(logarithms) {
    check("log", log, std::log, 3,
          sweep(0, 3e38, {1, 0.99999994F, 1.0000001F, 0.70710677F, 1.4142135F, 1.1754944e-38F, 3.4028235e38F, -1}));
    check("log near 1", log, std::log, 3, sweep(0.5, 2));
    check("log1p", log1p, std::log1p, 4, sweep(-0.99999, 1e30, {1e-4F, -1e-4F, 1e-20F, -1e-7F, 0.4F, -0.4F, -1, -2}));
    check("log1p near 0", log1p, std::log1p, 4, sweep(-0.9, 1));
}

BOOST_AUTO_TEST_CASE(roots) {
    check("sqrt", sqrt, std::sqrt, 1, sweep(0, 3e38, {-1, 2, 1e-37F}));
    check("rsqrt", rsqrt, rsqrtOf, 2, sweep(1e-37, 3e38));
}

BOOST_AUTO_TEST_CASE(trigonometry) {
    const std::vector<float> traps{222031363.0F,          355,           103993, 3.14159274F, 1.57079637F, 0.785398185F,
                                   16367173.0F * 4194304, 3.4028235e38F, 1e-4F};
    check("sin", sin, std::sin, 3, sweep(-1000, 1000, traps));
    check("cos", cos, std::cos, 3, sweep(-1000, 1000, traps));
    check("tan", tan, std::tan, 5, sweep(-1000, 1000, traps));
    check("sin of large angles", sin, std::sin, 3, sweep(-3e38, 3e38, traps));
    check("cos of large angles", cos, std::cos, 3, sweep(-3e38, 3e38, traps));
    check("tan of large angles", tan, std::tan, 5, sweep(-3e38, 3e38, traps));
    check("asin", asin, std::asin, 4, sweep(-1, 1, {1.5F, -2}));
    check("acos", acos, std::acos, 4, sweep(-1, 1, {0.99999994F, 1.5F}));
    check("atan", atan, std::atan, 3, sweep(-100, 100, {1e30F, 0.41421357F, -1}));
    check("atan far out", atan, std::atan, 3, sweep(-3e38, 3e38));
}

BOOST_AUTO_TEST_CASE(hyperbolic_functions) {
    check("sinh", sinh, std::sinh, 5, sweep(-89, 89, {1e-4F, 1, -1, 89, 90}));
    check("cosh", cosh, std::cosh, 5, sweep(-89, 89, {89, 90}));
    check("tanh", tanh, std::tanh, 5, sweep(-20, 20, {1e-4F, 1000}));
    check("asinh", asinh, std::asinh, 5, sweep(-100, 100, {1e-4F}));
    check("asinh far out", asinh, std::asinh, 5, sweep(-3e38, 3e38, {1e9F, 2e9F, 1e20F}));
    check("acosh", acosh, std::acosh, 5, sweep(1, 100, {1.0000001F, 0.5F}));
    check("acosh far out", acosh, std::acosh, 5, sweep(1, 3e38, {1e9F, 2e9F}));
    check("atanh", atanh, std::atanh, 5, sweep(-1, 1, {0.99999994F, 1e-4F, 2}));
}

BOOST_AUTO_TEST_CASE(the_error_function) { check("erf", erf, std::erf, 3, sweep(-6, 6, {1e-4F, 1e-30F, 0.92F, 4})); }

BOOST_AUTO_TEST_CASE(the_edges_of_every_function) {
    const std::pair<const char*, std::pair<Function, Exact>> all[] = {
        {"exp", {exp, std::exp}},       {"expm1", {expm1, std::expm1}}, {"log", {log, std::log}},
        {"log1p", {log1p, std::log1p}}, {"sqrt", {sqrt, std::sqrt}},    {"sin", {sin, std::sin}},
        {"cos", {cos, std::cos}},       {"tan", {tan, std::tan}},       {"asin", {asin, std::asin}},
        {"acos", {acos, std::acos}},    {"atan", {atan, std::atan}},    {"sinh", {sinh, std::sinh}},
        {"cosh", {cosh, std::cosh}},    {"tanh", {tanh, std::tanh}},    {"asinh", {asinh, std::asinh}},
        {"acosh", {acosh, std::acosh}}, {"atanh", {atanh, std::atanh}}, {"erf", {erf, std::erf}},
    };
    for (const auto& [name, functions] : all) {
        BOOST_TEST_CONTEXT(name) {
            std::vector<double> expected;
            for (const float x : edges) expected.push_back(functions.second(static_cast<double>(x)));
            expectFloats(functions.first(tensor(edges)), {5}, expected, 2e-7);
            // Zeros keep their sign.
            if (expected[1] == 0) {
                expectFloats(1.0F / functions.first(floats({0, -0.0F})), {2}, {1 / expected[0], 1 / expected[1]});
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(angles_of_points) {
    const Tensor y = floats({0, -0.0F, 0, -0.0F, 1, -1, infinity, infinity, -infinity, 1, NaN, 3e38F, 1e-30F});
    const Tensor x = floats({1, 1, -1, -1, 0, 0, infinity, -infinity, 2, -infinity, 1, 1e-38F, -1e30F});
    const double pi = std::acos(-1.0);
    expectFloats(atan2(y, x), {13}, {0, -0.0, pi, -pi, pi / 2, -pi / 2, pi / 4, 3 * pi / 4, -pi / 2, pi, NaN, pi / 2, pi},
                 2e-7);
}

BOOST_AUTO_TEST_CASE(powers) {
    std::vector<float> a, b;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> exponent(-20, 20), power(-12, 12), near(0.9, 1.1), large(-3000, 3000);
    for (int i = 0; i < 6000; ++i) {
        a.push_back(static_cast<float>(i % 2 == 0 ? std::exp2(exponent(random)) : near(random)));
        const double p = i % 2 == 0 ? power(random) : large(random) / 10;
        b.push_back(static_cast<float>(i % 3 == 0 ? std::round(p) : p));
    }
    std::vector<double> expected;
    for (std::size_t i = 0; i < a.size(); ++i)
        expected.push_back(std::pow(static_cast<double>(a[i]), static_cast<double>(b[i])));
    expectWithin(3, a, pow(tensor(a), tensor(b)).dataSync(), expected);
    // Whole powers of whole numbers are whole.
    expectFloats(pow(floats({3, 7, 2, -3, 10, 12}), floats({2, 8, 24, 5, 7, 6})), {6},
                 {9, 5764801, 16777216, -243, 1e7, 2985984});
    expectFloats(pow(floats({2, 10, 1e-20F, 1e20F}), floats({127, 38, -1, 2})), {4}, {std::pow(2.0, 127), 1e38, 1e20, infinity},
                 3e-7);
}
