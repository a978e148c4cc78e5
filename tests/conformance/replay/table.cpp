#include "table.hpp"

#include <array>
#include <map>

namespace replay {
namespace {

constexpr std::array families{
    creationRows, randomRows, elementwiseRows, reduceRows, shapeRows, matrixRows, windowRows, normalizeRows, fusedRows,
    imageRows,    indexRows,  spectralRows,    linalgRows, lossRows,  signalRows, sparseRows, stringRows,    memberRows,
};

}  // namespace

const Row* findRow(std::string_view op) {
    static const auto rows = [] {
        std::map<std::string_view, const Row*> out;
        for (const auto family : families) {
            for (const Row& row : family()) out.emplace(row.op, &row);
        }
        return out;
    }();
    const auto found = rows.find(op);
    return found == rows.end() ? nullptr : found->second;
}

}  // namespace replay
