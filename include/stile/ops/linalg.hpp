#pragma once

#include <cstdint>
#include <vector>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {
/// Linear algebra. Matrices are the last two axes; the leading ones are batches.
namespace linalg {

/// The matrices with everything outside a band around the diagonal set to 0: `lower` diagonals below it and `upper` above are kept, all
/// for a negative number. Any dtype. \throws Error `invalid_argument` for a rank below 2, `lower` beyond the rows or `upper` beyond
/// the columns.
[[nodiscard]] Tensor bandPart(const Tensor& x, std::int64_t lower, std::int64_t upper);
/// The same with int32 scalars that may be computed; numbers that are too large count as all.
/// \throws Error `wrong_dtype`, `invalid_argument` unless they are scalars.
[[nodiscard]] Tensor bandPart(const Tensor& x, const Tensor& lower, const Tensor& upper);

/// Orthonormal vectors that span what the rows of x, of shape [n, m], n <= m, span: the modified Gram-Schmidt process (Golub and Van
/// Loan, "Matrix computations", §5.2.8). float32. Rows that depend on those before give what rounding leaves, or NaN.
/// Costs O(n² m), in some 4 n kernels. \throws Error `invalid_argument` for another rank or n > m.
[[nodiscard]] Tensor gramSchmidt(const Tensor& x);
/// The same for a list of vectors. \throws Error `invalid_argument` for an empty list, or vectors of different lengths.
[[nodiscard]] std::vector<Tensor> gramSchmidt(const std::vector<Tensor>& xs);

/// x = q r.
struct QR {
    Tensor q;  ///< orthonormal columns
    Tensor r;  ///< upper triangular
};
/// The factors of matrices [..., m, n] by Householder's reflections (Golub and Van Loan, §5.2.2); the diagonal of r has the sign
/// opposite to the column that it comes from. q is [..., m, k] and r [..., k, n] with k = min(m, n), or k = m if `fullMatrices`.
/// float32. Costs O(m² n), in some 8 k kernels for all batches. \throws Error `invalid_argument` for a rank below 2.
[[nodiscard]] QR qr(const Tensor& x, bool fullMatrices = false);

}  // namespace linalg
}  // namespace stile
