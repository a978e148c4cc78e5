#include <dnnl.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "cpu/onednn.hpp"

// Products by oneDNN's gemm, which unlike its primitives need not be made for each shape.

namespace stile::cpu {
namespace {

/// One product of row-major matrices.
struct Product {
    const float* a;
    const float* b;
    float* c;
    std::int64_t m, n, k;
    std::int64_t rowOfA, rowOfB;  ///< elements from one row in memory to the next
    bool transposeA, transposeB;

    void run() const {
        // It fails for sizes and letters that do not exist only.
        (void)dnnl_sgemm(transposeA ? 'T' : 'N', transposeB ? 'T' : 'N', m, n, k, 1, a, rowOfA, b, rowOfB, 0, c, n);
    }
    [[nodiscard]] double work() const { return static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k); }
};

/// Where the matrix of each batch of the result starts in an operand whose leading axes may be stretched.
std::vector<std::int64_t> offsetsOf(const Shape& operand, const Shape& result) {
    std::vector<std::int64_t> offsets{0};
    std::int64_t stride = operand[-1] * operand[-2];
    for (int axis = 3; axis <= result.rank(); ++axis) {
        const std::int64_t extent = axis <= operand.rank() ? operand[-axis] : 1;
        const std::size_t inner = offsets.size();
        for (std::int64_t i = 1; i < result[-axis]; ++i) {
            for (std::size_t j = 0; j < inner; ++j) offsets.push_back(offsets[j] + (extent == 1 ? 0 : i * stride));
        }
        stride *= extent;
    }
    return offsets;
}

/// In bands of rows, if it is long.
void cut(const Product& whole, std::vector<Product>& out) {
    const auto bands = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(whole.work() / mostWork)));
    const std::int64_t rows = (whole.m + bands - 1) / bands;
    for (std::int64_t row = 0; row < whole.m; row += rows) {
        Product band = whole;
        band.m = std::min(rows, whole.m - row);
        band.a += whole.transposeA ? row : row * whole.rowOfA;
        band.c += row * whole.n;
        out.push_back(band);
    }
}

std::vector<Product> productsOf(const prim::MatMul& what, Operands in, const Operand& out) {
    const std::int64_t n = out.shape[-1], k = in[0].shape[what.transposeA ? -2 : -1];
    Product first{.a = elements(in[0]),
                  .b = elements(in[1]),
                  .c = elements(out),
                  .m = out.shape[-2],
                  .n = n,
                  .k = k,
                  .rowOfA = in[0].shape[-1],
                  .rowOfB = in[1].shape[-1],
                  .transposeA = what.transposeA,
                  .transposeB = what.transposeB};
    std::vector<Product> products;
    // Batches by one and the same matrix are one tall product.
    if (!what.transposeA && in[1].shape.size() == k * n && in[0].shape.size() * n == out.shape.size() * k) {
        first.m = out.shape.size() / n;
        cut(first, products);
        return products;
    }
    const std::vector<std::int64_t> a = offsetsOf(in[0].shape, out.shape), b = offsetsOf(in[1].shape, out.shape);
    for (std::size_t i = 0; i < a.size(); ++i) {
        Product product = first;
        product.a += a[i];
        product.b += b[i];
        product.c += static_cast<std::int64_t>(i) * first.m * n;
        cut(product, products);
    }
    return products;
}

}  // namespace

Steps OneDnn::prepare(const prim::MatMul& what, Operands in, const Operand& out) {
    if (out.dtype != DType::float32 || in[0].shape[what.transposeA ? -2 : -1] > longestSum) return {};
    if (in[0].shape.size() == 0) {  // sums of nothing
        return {{[to = elements(out), size = out.shape.size()] { std::fill_n(to, size, 0.0F); }, 0}};
    }
    Steps steps;
    std::vector<Product> group;
    double work = 0;
    const auto flush = [&] {
        steps.push_back({[products = std::exchange(group, {})] {
                             for (const Product& product : products) product.run();
                         },
                         std::exchange(work, 0)});
    };
    for (const Product& product : productsOf(what, in, out)) {
        if (!group.empty() && work + product.work() > mostWork) flush();
        group.push_back(product);
        work += product.work();
    }
    flush();
    return steps;
}

}  // namespace stile::cpu
