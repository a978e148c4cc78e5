#include "random_graph.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <stile/create.hpp>
#include <stile/error.hpp>
#include <stile/ops.hpp>

namespace test {
namespace {

using plain::Value;
using plain::wrapped;
using stile::DType;
using stile::Shape;
using stile::Tensor;

constexpr double ulp = 1.2e-7;
constexpr std::int64_t largest = 3000;
constexpr double infinity = std::numeric_limits<double>::infinity();

std::int64_t whole(double v) { return static_cast<std::int64_t>(v); }
std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
    return b == 0 ? 0 : static_cast<std::int64_t>(std::floor(static_cast<double>(a) / static_cast<double>(b)));
}
double most(const Value& x) {
    double m = 0;
    for (const double v : x.data) m = std::max(m, std::abs(v));
    return m;
}
double least(const Value& x) {
    double m = infinity;
    for (const double v : x.data) m = std::min(m, std::abs(v));
    return m;
}
bool onGrid(const Value& x) {
    return std::ranges::all_of(x.data, [](double v) { return std::abs(v) <= 65536 && v * 256 == std::floor(v * 256); });
}
bool broadcasts(const Shape& a, const Shape& b) {
    try {
        return stile::broadcastShapes(a, b).size() <= largest;
    } catch (const stile::Error&) {
        return false;
    }
}

Tensor tensorOf(const Value& x) {
    if (x.dtype == DType::float32) return stile::tensor(std::vector<float>(x.data.begin(), x.data.end()), x.shape);
    if (x.dtype == DType::int32) return stile::tensor(std::vector<std::int32_t>(x.data.begin(), x.data.end()), x.shape);
    std::vector<bool> bits;
    for (const double v : x.data) bits.push_back(v != 0);
    return stile::tensor(std::move(bits), x.shape);
}

}  // namespace

void RandomGraph::keep(Tensor tensor, Value value, double error, bool continuous) {
    if (value.shape.size() > largest || value.shape.rank() > Shape::maxRank) return;
    if (value.dtype == DType::float32 && (error > 0 || !onGrid(value))) {
        if (!continuous || most(value) > 1e4) return;
        error += ulp * (most(value) + 1e-3);
        if (error > 0.01) return;
    }
    items_.push_back({std::move(tensor), std::move(value), error});
}

void RandomGraph::addLeaf() {
    // A few extents, so that shapes often broadcast.
    std::vector<std::int64_t> extents;
    const std::size_t rank = chance(8) ? draw(9) : draw(4);
    const std::array<std::int64_t, 8> usual{1, 2, 3, 4, 4, 6, 1, 2};
    for (std::size_t i = 0; i < rank; ++i) extents.push_back(chance(60) ? 0 : usual[draw(rank > 4 ? 2 : 8)]);
    Value x{Shape(std::span<const std::int64_t>(extents)), DType::float32, {}};
    const std::size_t kind = draw(8);
    x.dtype = kind < 5 ? DType::float32 : kind < 7 ? DType::int32 : DType::boolean;
    const bool wild = kind == 6;
    const double same = static_cast<double>(draw(9)) - 4;
    const bool filled = chance(5);
    for (std::int64_t i = 0; i < x.shape.size(); ++i) {
        const double small = static_cast<double>(draw(65)) / 8 - 4;
        double v = x.dtype == DType::float32   ? small
                   : x.dtype == DType::boolean ? static_cast<double>(draw(2))
                                               : std::floor(small);
        if (wild) v = wrapped(static_cast<std::int64_t>(random_()));
        if (filled) v = x.dtype == DType::boolean ? std::abs(same) / 4 >= 0.5 : same;
        x.data.push_back(v);
    }
    if (filled && !x.data.empty()) {
        items_.push_back({stile::fill(x.shape, x.data.front(), x.dtype), x, 0});
    } else {
        items_.push_back({tensorOf(x), x, 0});
    }
}

void RandomGraph::dropOne() {
    if (items_.size() > 2) items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(draw(items_.size())));
}

void RandomGraph::addStep() {
    using Step = void (RandomGraph::*)();
    static constexpr std::array<Step, 24> steps{
        &RandomGraph::unary,     &RandomGraph::unary,     &RandomGraph::unary,     &RandomGraph::binary,
        &RandomGraph::binary,    &RandomGraph::binary,    &RandomGraph::binary,    &RandomGraph::binary,
        &RandomGraph::smooth,    &RandomGraph::logical,   &RandomGraph::choose,    &RandomGraph::choose,
        &RandomGraph::convert,   &RandomGraph::reduce,    &RandomGraph::reduce,    &RandomGraph::reduce,
        &RandomGraph::argument,  &RandomGraph::product,   &RandomGraph::rearrange, &RandomGraph::rearrange,
        &RandomGraph::rearrange, &RandomGraph::rearrange, &RandomGraph::join,      &RandomGraph::pick};
    (this->*steps[draw(steps.size())])();
}

void RandomGraph::unary() {
    struct Row {
        Tensor (*op)(const Tensor&);
        double (*f)(double);
        bool continuous, integer;
    };
    static const std::array<Row, 12> rows{
        Row{stile::neg, [](double v) { return -v; }, true, true},
        {stile::abs, [](double v) { return std::abs(v); }, true, true},
        {stile::relu, [](double v) { return std::max(v, 0.0); }, true, true},
        {stile::relu6, [](double v) { return std::clamp(v, 0.0, 6.0); }, true, true},
        {stile::sign, [](double v) { return v > 0   ? 1.0
                                            : v < 0 ? -1.0
                                                    : 0.0; }, false, true},
        {stile::round, [](double v) { return std::nearbyint(v); }, false, true},
        {stile::floor, [](double v) { return std::floor(v); }, false, false},
        {stile::ceil, [](double v) { return std::ceil(v); }, false, false},
        {[](const Tensor& x) { return stile::clipByValue(x, -2, 3); }, [](double v) { return std::clamp(v, -2.0, 3.0); }, true,
         true},
        {[](const Tensor& x) { return stile::step(x, 0.5F); }, [](double v) { return v > 0 ? 1.0 : 0.5; }, false, false},
        {[](const Tensor& x) { return stile::leakyRelu(x, 0.5F); }, [](double v) { return v < 0 ? v / 2 : v; }, true, false},
        {[](const Tensor& x) { return stile::square(x); }, [](double v) { return v * v; }, true, true},
    };
    const Item x = any();
    const Row& row = rows[draw(rows.size())];
    if (x.value.dtype == DType::float32) {
        const double slope = row.f(3) == 9 ? 2 * most(x.value) + x.error : 1;
        if (row.continuous || x.error == 0)
            keep(row.op(x.tensor), plain::map(x.value, DType::float32, row.f), slope * x.error, row.continuous);
    } else if (row.integer) {
        // bool counts as int32. A square has to wrap before it is a double.
        const bool square = row.f(3) == 9;
        keep(row.op(x.tensor),
             plain::map(x.value, DType::int32,
                        [&](double v) { return square ? wrapped(whole(v) * whole(v)) : wrapped(whole(row.f(v))); }),
             0, true);
    }
}

void RandomGraph::smooth() {
    const Item x = any();
    if (x.value.dtype != DType::float32) return;
    const double top = most(x.value);
    switch (draw(5)) {
        case 0:
            keep(stile::tanh(x.tensor), plain::map(x.value, DType::float32, [](double v) { return std::tanh(v); }),
                 x.error + 8 * ulp, true);
            break;
        case 1:
            keep(stile::sigmoid(x.tensor), plain::map(x.value, DType::float32, [](double v) { return 1 / (1 + std::exp(-v)); }),
                 x.error + 8 * ulp, true);
            break;
        case 2:
            keep(stile::sin(x.tensor), plain::map(x.value, DType::float32, [](double v) { return std::sin(v); }),
                 x.error + 8 * ulp, true);
            break;
        case 3:
            if (top > 6) return;
            keep(stile::exp(x.tensor), plain::map(x.value, DType::float32, [](double v) { return std::exp(v); }),
                 std::exp(top + x.error) * (x.error + 8 * ulp), true);
            break;
        default:
            if (least(x.value) < 0.25 + x.error) return;
            keep(stile::sqrt(stile::abs(x.tensor)),
                 plain::map(x.value, DType::float32, [](double v) { return std::sqrt(std::abs(v)); }),
                 x.error + 8 * ulp * (1 + top), true);
    }
}

void RandomGraph::binary() {
    const Item a = any();
    Item b = any();
    for (int i = 0; i < 10 && !broadcasts(a.value.shape, b.value.shape); ++i) b = any();
    if (!broadcasts(a.value.shape, b.value.shape)) {
        const auto number = static_cast<float>(draw(9)) - 4;
        b = {Tensor(number), {Shape{}, DType::float32, {static_cast<double>(number)}}, 0};
    }
    const bool real = stile::promote(a.value.dtype, b.value.dtype) == DType::float32;
    // int32 beside float32: what float32 cannot hold is not what this is about.
    if (real && (most(a.value) > 65536 || most(b.value) > 65536)) return;
    const double ma = most(a.value), mb = most(b.value), sum = a.error + b.error;
    const DType dtype = real ? DType::float32 : DType::int32;
    const auto both = [&](Tensor (*op)(const Tensor&, const Tensor&), const plain::Binary& f, const plain::Binary& integer,
                          double error, bool continuous) {
        keep(op(a.tensor, b.tensor), plain::map(a.value, b.value, dtype, real ? f : integer), real ? error : 0, continuous);
    };
    const bool exact = sum == 0;
    switch (draw(10)) {
        case 0:
            both(stile::add, std::plus<>(), [](double x, double y) { return wrapped(whole(x) + whole(y)); }, sum, true);
            break;
        case 1:
            both(stile::sub, std::minus<>(), [](double x, double y) { return wrapped(whole(x) - whole(y)); }, sum, true);
            break;
        case 2:
        case 3:
            both(
                stile::mul, std::multiplies<>(), [](double x, double y) { return wrapped(whole(x) * whole(y)); },
                ma * b.error + mb * a.error + a.error * b.error, true);
            break;
        case 4:
            both(
                stile::maximum, [](double x, double y) { return std::max(x, y); },
                [](double x, double y) { return std::max(x, y); }, sum, true);
            break;
        case 5:
            both(
                stile::minimum, [](double x, double y) { return std::min(x, y); },
                [](double x, double y) { return std::min(x, y); }, sum, true);
            break;
        case 6:
            both(
                stile::squaredDifference, [](double x, double y) { return (x - y) * (x - y); },
                [](double x, double y) {
                    const double d = wrapped(whole(x) - whole(y));
                    return wrapped(whole(d) * whole(d));
                },
                (2 * (ma + mb) + sum) * (sum + (exact ? 0 : ulp * (ma + mb))), true);
            break;
        case 7:
            if (real && (!exact || least(b.value) == 0)) return;
            both(
                stile::mod, [](double x, double y) { return x - y * std::floor(x / y); },
                [](double x, double y) { return y == 0 ? 0 : wrapped(whole(x) - floorDiv(whole(x), whole(y)) * whole(y)); }, 0,
                false);
            break;
        case 8:
            if (real && least(b.value) < 0.25 + 2 * b.error) return;
            both(
                stile::div, std::divides<>(), [](double x, double y) { return wrapped(floorDiv(whole(x), whole(y))); },
                real ? (a.error + ma * b.error / least(b.value)) / (least(b.value) - b.error) : 0, true);
            break;
        default: {
            if (!exact) return;
            struct Row {
                Tensor (*op)(const Tensor&, const Tensor&);
                bool (*f)(double, double);
            };
            static constexpr std::array<Row, 6> rows{Row{stile::equal, [](double x, double y) { return x == y; }},
                                                     {stile::notEqual, [](double x, double y) { return x != y; }},
                                                     {stile::less, [](double x, double y) { return x < y; }},
                                                     {stile::lessEqual, [](double x, double y) { return x <= y; }},
                                                     {stile::greater, [](double x, double y) { return x > y; }},
                                                     {stile::greaterEqual, [](double x, double y) { return x >= y; }}};
            const Row& row = rows[draw(rows.size())];
            keep(row.op(a.tensor, b.tensor),
                 plain::map(a.value, b.value, DType::boolean, [&](double x, double y) { return row.f(x, y) ? 1.0 : 0.0; }), 0,
                 false);
        }
    }
}

void RandomGraph::logical() {
    const Item a = any(), b = any();
    if (a.value.dtype != DType::boolean) return;
    if (b.value.dtype != DType::boolean || !broadcasts(a.value.shape, b.value.shape)) {
        keep(stile::logicalNot(a.tensor), plain::map(a.value, DType::boolean, [](double v) { return 1 - v; }), 0, false);
        return;
    }
    const std::size_t kind = draw(3);
    keep((kind == 0   ? stile::logicalAnd
          : kind == 1 ? stile::logicalOr
                      : stile::logicalXor)(a.tensor, b.tensor),
         plain::map(a.value, b.value, DType::boolean,
                    [&](double x, double y) {
                        return kind == 0 ? std::min(x, y) : kind == 1 ? std::max(x, y) : std::abs(x - y);
                    }),
         0, false);
}

void RandomGraph::choose() {
    const Item condition = any(), a = any(), b = any();
    if (condition.value.dtype != DType::boolean || !broadcasts(a.value.shape, b.value.shape)) return;
    if (!broadcasts(condition.value.shape, stile::broadcastShapes(a.value.shape, b.value.shape))) return;
    const bool real = stile::promote(a.value.dtype, b.value.dtype) == DType::float32;
    if (real && (most(a.value) > 65536 || most(b.value) > 65536)) return;
    keep(stile::where(condition.tensor, a.tensor, b.tensor), plain::where(condition.value, a.value, b.value),
         std::max(a.error, b.error), true);
}

void RandomGraph::convert() {
    const Item x = any();
    const DType dtype = std::array{DType::float32, DType::int32, DType::boolean}[draw(3)];
    if (x.error > 0 || (dtype == DType::float32 && most(x.value) > 65536)) return;
    keep(stile::cast(x.tensor, dtype), plain::cast(x.value, dtype), 0, false);
}

void RandomGraph::reduce() {
    const Item x = any();
    const int rank = x.value.shape.rank();
    const auto axes = static_cast<std::uint32_t>(draw(std::size_t{1} << static_cast<unsigned>(rank)));
    std::vector<int> list;
    double count = 1;
    for (int i = 0; i < rank; ++i) {
        if (axes == 0 || (axes >> static_cast<unsigned>(i) & 1U) != 0) {
            list.push_back(axes == 0 ? i - rank : i);
            count *= static_cast<double>(x.value.shape[i]);
        }
    }
    const std::uint32_t bits = axes == 0 ? (1U << static_cast<unsigned>(rank)) - 1 : axes;
    const stile::Axes which(axes == 0 && chance(2) ? std::vector<int>{} : list);
    const bool kept = chance(2);
    const double top = most(x.value);
    const bool real = x.value.dtype == DType::float32;
    const auto typed = [&](Value v) {
        if (v.dtype == DType::boolean) v.dtype = DType::int32;
        return v;
    };
    const double rounding = x.error > 0 || count * top > 65536 ? count * count * ulp * top : 0;
    switch (draw(x.value.dtype == DType::boolean ? 6 : 4)) {
        case 0:
            keep(stile::sum(x.tensor, which, kept),
                 typed(plain::reduce(x.value, bits, kept, 0,
                                     [&](double a, double b) { return real ? a + b : wrapped(whole(a) + whole(b)); })),
                 count * x.error + rounding, true);
            break;
        case 1: {
            if (count == 0 || top > 65536) return;
            Value mean = plain::reduce(x.value, bits, kept, 0, std::plus<>());
            mean = plain::map(mean, DType::float32, [&](double v) { return v / count; });
            keep(stile::mean(x.tensor, which, kept), mean, x.error + rounding / count, true);
            break;
        }
        case 2:
            if (count == 0) return;
            keep(stile::max(x.tensor, which, kept),
                 typed(plain::reduce(x.value, bits, kept, -infinity, [](double a, double b) { return std::max(a, b); })),
                 x.error, true);
            break;
        case 3:
            if (count == 0) return;
            keep(stile::min(x.tensor, which, kept),
                 typed(plain::reduce(x.value, bits, kept, infinity, [](double a, double b) { return std::min(a, b); })),
                 x.error, true);
            break;
        case 4:
            keep(stile::all(x.tensor, which, kept),
                 plain::reduce(x.value, bits, kept, 1, [](double a, double b) { return std::min(a, b); }), 0, false);
            break;
        default:
            keep(stile::any(x.tensor, which, kept),
                 plain::reduce(x.value, bits, kept, 0, [](double a, double b) { return std::max(a, b); }), 0, false);
    }
}

void RandomGraph::argument() {
    const Item x = any();
    if (x.error > 0 || x.value.shape.rank() == 0) return;
    const int axis = static_cast<int>(draw(static_cast<std::size_t>(x.value.shape.rank())));
    if (x.value.shape[axis] == 0) return;
    if (chance(2)) {
        keep(stile::argMax(x.tensor, axis), plain::arg(x.value, axis, std::greater<>()), 0, false);
    } else {
        keep(stile::argMin(x.tensor, axis - x.value.shape.rank()), plain::arg(x.value, axis, std::less<>()), 0, false);
    }
}

void RandomGraph::product() {
    for (int attempt = 0; attempt < 10; ++attempt) {
        const Item a = any(), b = any();
        const Shape& sa = a.value.shape;
        const Shape& sb = b.value.shape;
        if (sa.rank() < 2 || sb.rank() < 2 || stile::promote(a.value.dtype, b.value.dtype) == DType::boolean) continue;
        const bool ta = chance(2), tb = chance(2);
        if (sa[ta ? -2 : -1] != sb[tb ? -1 : -2]) continue;
        const auto leading = [](const Shape& s) { return Shape(std::span(s.begin(), s.end() - 2)); };
        if (!broadcasts(leading(sa), leading(sb))) continue;
        const bool real = stile::promote(a.value.dtype, b.value.dtype) == DType::float32;
        const double ma = most(a.value), mb = most(b.value), k = static_cast<double>(sa[ta ? -2 : -1]);
        if (real && (ma > 65536 || mb > 65536)) continue;
        const auto swapped = [](const Value& x, bool flag) {
            std::vector<int> order(static_cast<std::size_t>(x.shape.rank()));
            std::iota(order.begin(), order.end(), 0);
            if (flag) std::swap(order[order.size() - 1], order[order.size() - 2]);
            return plain::transpose(x, order);
        };
        const Value va = swapped(a.value, ta), vb = swapped(b.value, tb);
        if (stile::broadcastShapes(leading(sa), leading(sb)).size() * va.shape[-2] * vb.shape[-1] > largest) continue;
        double error = k * (ma * b.error + mb * a.error + a.error * b.error);
        // Off the grid somewhere, or sums that leave it.
        if (error > 0 || k * ma * mb > 65536 || !onGrid(plain::map(a.value, a.value.dtype, [](double v) { return v * 16; })) ||
            !onGrid(plain::map(b.value, b.value.dtype, [](double v) { return v * 16; }))) {
            error += k * k * ulp * ma * mb;
        }
        keep(stile::matMul(a.tensor, b.tensor, ta, tb), plain::matMul(va, vb), real ? error : 0, true);
        return;
    }
}

void RandomGraph::rearrange() {
    const Item x = any();
    const Shape& shape = x.value.shape;
    const auto rank = static_cast<std::size_t>(shape.rank());
    plain::Coordinates first(rank), second(rank);
    switch (draw(7)) {
        case 0: {
            std::vector<int> order(rank);
            std::iota(order.begin(), order.end(), 0);
            std::ranges::shuffle(order, random_);
            keep(stile::transpose(x.tensor, order), plain::transpose(x.value, order), x.error, true);
            break;
        }
        case 1:
            for (std::size_t i = 0; i < rank; ++i) {
                const auto extent = static_cast<std::size_t>(shape[static_cast<int>(i)]);
                first[i] = static_cast<std::int64_t>(draw(extent + 1) * 2 / 3);
                second[i] = static_cast<std::int64_t>(draw(extent - static_cast<std::size_t>(first[i]) + 1));
                if (second[i] == 0 && !chance(20)) second[i] = static_cast<std::int64_t>(extent) - first[i];
            }
            keep(stile::slice(x.tensor, first, second), plain::slice(x.value, first, second), x.error, true);
            break;
        case 2: {
            const auto axes = static_cast<std::uint32_t>(draw(std::size_t{1} << rank));
            std::vector<int> list;
            for (std::size_t i = 0; i < rank; ++i) {
                if ((axes >> i & 1U) != 0) list.push_back(static_cast<int>(i));
            }
            if (list.empty()) return;
            keep(stile::reverse(x.tensor, stile::Axes(list)), plain::reverse(x.value, axes), x.error, true);
            break;
        }
        case 3:
            for (auto& repeat : first) repeat = chance(3) ? 2 : 1;
            keep(stile::tile(x.tensor, first), plain::tile(x.value, first), x.error, true);
            break;
        case 4: {
            std::vector<std::pair<std::int64_t, std::int64_t>> paddings(rank);
            for (auto& [before, after] : paddings) {
                before = static_cast<std::int64_t>(draw(2));
                after = static_cast<std::int64_t>(draw(3) / 2);
            }
            const double value = x.value.dtype == DType::boolean ? 1 : -3;
            keep(stile::pad(x.tensor, paddings, value), plain::pad(x.value, paddings, value), x.error, true);
            break;
        }
        case 5:
            if (rank < 2) return;
            keep(stile::reshape(x.tensor, {shape.size()}), plain::reshape(x.value, Shape{shape.size()}), x.error, true);
            break;
        default: {
            if (shape.size() % 2 != 0 || shape.size() == 0) {
                const int axis = static_cast<int>(draw(rank + 1));
                if (rank == Shape::maxRank) return;
                plain::Coordinates extents(shape.begin(), shape.end());
                extents.insert(extents.begin() + axis, 1);
                keep(stile::expandDims(x.tensor, axis), plain::reshape(x.value, Shape(std::span<const std::int64_t>(extents))),
                     x.error, true);
                return;
            }
            keep(stile::reshape(x.tensor, {2, -1}), plain::reshape(x.value, Shape{std::int64_t{2}, shape.size() / 2}), x.error,
                 true);
        }
    }
}

void RandomGraph::join() {
    const Item a = any(), b = any();
    const int rank = a.value.shape.rank();
    if (rank == 0 || b.value.shape.rank() != rank) return;
    const bool real = stile::promote(a.value.dtype, b.value.dtype) == DType::float32;
    if (real && (most(a.value) > 65536 || most(b.value) > 65536)) return;
    for (int axis = 0; axis < rank; ++axis) {
        bool fits = true;
        for (int i = 0; i < rank; ++i) fits = fits && (i == axis || a.value.shape[i] == b.value.shape[i]);
        if (!fits) continue;
        keep(stile::concat({a.tensor, b.tensor, a.tensor}, axis), plain::concat({a.value, b.value, a.value}, axis),
             std::max(a.error, b.error), true);
        return;
    }
}

void RandomGraph::pick() {
    const Item x = any();
    if (x.value.shape.rank() == 0) return;
    const int axis = static_cast<int>(draw(static_cast<std::size_t>(x.value.shape.rank())));
    std::vector<std::int32_t> indices(1 + draw(5));
    for (auto& index : indices) index = static_cast<std::int32_t>(draw(static_cast<std::size_t>(x.value.shape[axis]) + 2)) - 1;
    keep(stile::gather(x.tensor, stile::tensor(indices), axis), plain::gather(x.value, indices, axis), x.error, true);
}

}  // namespace test
