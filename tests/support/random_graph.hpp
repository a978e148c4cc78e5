#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <stile/tensor.hpp>

#include "interpreter.hpp"

namespace test {

/// A graph of operations that grows at random, recorded and worked out by the interpreter at the same time.
///
/// Floats lie on a grid (multiples of 1/256 up to 65,536) as long as they can: there sums and products are exact in any
/// order, and comparisons, roundings and casts may be asked for. What leaves the grid carries a bound of its error, and only
/// continuous operations follow.
class RandomGraph {
  public:
    struct Item {
        stile::Tensor tensor;
        plain::Value value;
        double error = 0;  ///< how far an element may be off; 0: exact
    };

    explicit RandomGraph(std::uint64_t seed) : random_(seed) {}

    void addLeaf();
    /// Adds an operation on items that are there; nothing if the one drawn does not fit.
    void addStep();
    /// Forgets an item; others may still depend on it.
    void dropOne();
    [[nodiscard]] const std::vector<Item>& items() const noexcept { return items_; }
    [[nodiscard]] std::size_t draw(std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
    }

  private:
    using Item_ = const Item&;
    Item_ any() { return items_[draw(items_.size())]; }
    bool chance(std::size_t oneIn) { return draw(oneIn) == 0; }
    void keep(stile::Tensor tensor, plain::Value value, double error, bool continuous);

    void unary();
    void smooth();
    void binary();
    void logical();
    void choose();
    void convert();
    void reduce();
    void argument();
    void product();
    void rearrange();
    void join();
    void pick();

    std::mt19937_64 random_;
    std::vector<Item> items_;
};

}  // namespace test
