#include "host/elements.hpp"
#include "host/host.hpp"
#include "host/numbers.hpp"

namespace stile::host {
namespace {

double join(const prim::Scan& what, double a, float b) {
    return what.product ? a * static_cast<double>(b) : a + static_cast<double>(b);
}
Int join(const prim::Scan& what, Int a, Int b) { return what.product ? multiplied(a, b) : added(a, b); }

/// Element is what is stored, Total what is added up.
template <class Element, class Total>
void scan(const prim::Scan& what, const Operand& x, const Operand& out) {
    for (std::int64_t line = 0; line < what.outer * what.inner; ++line) {
        Total total = what.product ? 1 : 0;
        for (std::int64_t k = 0; k < what.extent; ++k) {
            const std::int64_t step = what.reverse ? what.extent - 1 - k : k;
            const std::int64_t at = (line / what.inner * what.extent + step) * what.inner + line % what.inner;
            const Total next = join(what, total, get<Element>(x.data, at));
            put(out.data, at, static_cast<Element>(what.exclusive ? total : next));
            total = next;
        }
    }
}

}  // namespace

void run(const prim::Scan& what, Operands in, const Operand& out) {
    out.dtype == DType::float32 ? scan<float, double>(what, in[0], out) : scan<Int, Int>(what, in[0], out);
}

}  // namespace stile::host
