#include "cpu/sort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace stile::cpu {
namespace {

/// A key whose order is that of the values, above the value's place: items are sorted as numbers, and equals stay in order.
using Item = std::uint64_t;
using Key = std::uint32_t;

constexpr Key sign = 0x80000000U;

/// The key of a float32 in ascending order: zeros are equal, NaNs come last.
Key keyOf(float value) {
    const auto bits = std::bit_cast<Key>(value + 0.0F);  // -0 becomes 0
    return (bits & sign) != 0 ? ~bits : bits | sign;
}
Key keyOf(std::int32_t value) { return static_cast<Key>(value) ^ sign; }

template <class T>
struct Keys {
    const T* values;
    bool descending;

    Key operator[](std::int64_t i) const {
        const T value = values[i];
        if (value != value) return std::numeric_limits<Key>::max();  // NaN is the last either way, above both infinities
        return descending ? ~keyOf(value) : keyOf(value);
    }
};

Item itemOf(Key key, std::int64_t place) { return Item{key} << 32U | static_cast<Item>(place); }

/// The first `kept` of many: whoever comes behind all that are held so far is passed over.
template <class T>
void select(const Keys<T>& keys, std::int64_t extent, std::size_t kept, std::vector<Item>& items) {
    const std::size_t room = std::max<std::size_t>(4 * kept, 1024);
    const auto middle = static_cast<std::ptrdiff_t>(kept) - 1;
    items.clear();
    items.reserve(room);
    Key last = std::numeric_limits<Key>::max();
    const auto shorten = [&] {
        std::ranges::nth_element(items, items.begin() + middle);
        items.resize(kept);
        last = static_cast<Key>(items.back() >> 32U);
    };
    for (std::int64_t i = 0; i < extent; ++i) {
        const Key key = keys[i];
        // At the same key the earlier place comes first; until enough are held everybody is.
        if (key >= last && items.size() >= kept) continue;
        items.push_back(itemOf(key, i));
        if (items.size() == room) shorten();
    }
    if (items.size() > kept) shorten();
    std::ranges::sort(items);
}

/// By the digits of the keys, the last digit first: each pass keeps the order of the one before.
void sortByDigits(std::vector<Item>& items, std::vector<Item>& spare) {
    constexpr unsigned bits = 11, passes = 3;
    constexpr std::size_t digits = std::size_t{1} << bits;
    spare.resize(items.size());
    for (unsigned pass = 0; pass < passes; ++pass) {
        const auto digit = [shift = 32U + pass * bits](Item item) { return (item >> shift) & (digits - 1); };
        std::array<std::size_t, digits> begins{};
        for (const Item item : items) ++begins[digit(item)];
        std::size_t sum = 0;
        for (std::size_t& begin : begins) sum += std::exchange(begin, sum);
        for (const Item item : items) spare[begins[digit(item)]++] = item;
        items.swap(spare);
    }
}

template <class T>
void sortRow(const prim::Sort& what, const T* values, std::int32_t* out, std::vector<Item>& items, std::vector<Item>& spare) {
    constexpr std::int64_t few = 4096;  // below that the passes over all digits do not pay
    const Keys<T> keys{values, what.descending};
    if (what.kept < what.extent / 8) {
        select(keys, what.extent, static_cast<std::size_t>(what.kept), items);
    } else {
        items.resize(static_cast<std::size_t>(what.extent));
        for (std::int64_t i = 0; i < what.extent; ++i) items[static_cast<std::size_t>(i)] = itemOf(keys[i], i);
        if (what.extent < few) {
            std::ranges::sort(items);
        } else {
            sortByDigits(items, spare);
        }
    }
    for (std::int64_t k = 0; k < what.kept; ++k) out[k] = static_cast<std::int32_t>(items[static_cast<std::size_t>(k)]);
}

template <class T>
Steps sort(const prim::Sort& what, Operands in, const Operand& out) {
    constexpr double workOfElement = 100;
    const double rowWork = workOfElement * static_cast<double>(what.extent);
    const auto together = std::max<std::int64_t>(static_cast<std::int64_t>(mostWork / rowWork), 1);
    Steps steps;
    for (std::int64_t row = 0; row < what.rows; row += together) {
        const std::int64_t rows = std::min(together, what.rows - row);
        steps.push_back(
            {[what, rows, from = elements<T>(in[0]) + row * what.extent, to = elements<std::int32_t>(out) + row * what.kept] {
                 std::vector<Item> items, spare;
                 for (std::int64_t r = 0; r < rows; ++r) {
                     sortRow(what, from + r * what.extent, to + r * what.kept, items, spare);
                 }
             },
             rowWork * static_cast<double>(rows)});
    }
    return steps;
}

}  // namespace

Steps prepare(const prim::Sort& what, Operands in, const Operand& out) {
    return in[0].dtype == DType::float32 ? sort<float>(what, in, out) : sort<std::int32_t>(what, in, out);
}

}  // namespace stile::cpu
