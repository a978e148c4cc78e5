#pragma once

#include <span>
#include <string_view>

#include "argument.hpp"
#include "results.hpp"

// The table of operations: how a recorded call becomes a call of the public API. A family of operations has a file
// adapters_FAMILY.cpp with its rows; a new family is declared here and listed in table.cpp. Operations that are awaitable only
// have rows of their own kind (async_table.hpp), so that the files of all others do without Asio.

namespace replay {

/// An operation by the name of the reference ("image.resizeBilinear") and the call that stands for it.
struct Row {
    std::string_view op;
    Results (*call)(const Arguments&);
};

/// The row of an operation; null if there is none.
[[nodiscard]] const Row* findRow(std::string_view op);

/// A call of a function of one tensor.
template <auto function>
Results unary(const Arguments& a) {
    return function(a[0].tensor());
}
/// Of two tensors.
template <auto function>
Results binary(const Arguments& a) {
    return function(a[0].tensor(), a[1].tensor());
}

std::span<const Row> creationRows();
std::span<const Row> randomRows();
std::span<const Row> elementwiseRows();
std::span<const Row> reduceRows();
std::span<const Row> shapeRows();
std::span<const Row> matrixRows();
std::span<const Row> windowRows();
std::span<const Row> normalizeRows();
std::span<const Row> fusedRows();
std::span<const Row> imageRows();
std::span<const Row> indexRows();
std::span<const Row> signalRows();
std::span<const Row> spectralRows();
std::span<const Row> linalgRows();
std::span<const Row> lossRows();
std::span<const Row> sparseRows();
std::span<const Row> stringRows();
std::span<const Row> memberRows();

}  // namespace replay
