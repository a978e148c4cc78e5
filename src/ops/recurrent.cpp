#include "stile/ops/recurrent.hpp"

#include "ops/check.hpp"
#include "stile/ops/elementwise.hpp"
#include "stile/ops/matmul.hpp"
#include "stile/ops/shape.hpp"

namespace stile {

CellState basicLSTMCell(const Tensor& forgetBias, const Tensor& kernel, const Tensor& bias, const Tensor& data, const Tensor& c,
                        const Tensor& h) {
    const bool fits = data.rank() == 2 && c.rank() == 2 && h.shape() == c.shape() && data.shape()[0] == c.shape()[0] &&
                      kernel.shape() == Shape{data.shape()[1] + c.shape()[1], 4 * c.shape()[1]} &&
                      bias.shape() == Shape{4 * c.shape()[1]};
    if (!fits) {
        ops::fail("basicLSTMCell", "kernel {}, bias {}, data {}, c {}, h {}", toString(kernel.shape()), toString(bias.shape()),
                  toString(data.shape()), toString(c.shape()), toString(h.shape()));
    }
    const std::vector<Tensor> gates = split(matMul(concat({data, h}, 1), kernel) + bias, 4, 1);
    const Tensor kept = c * sigmoid(forgetBias + gates[2]);
    const Tensor next = sigmoid(gates[0]) * tanh(gates[1]) + kept;
    return {next, tanh(next) * sigmoid(gates[3])};
}

CellStates multiRNNCell(const std::vector<RecurrentCell>& cells, const Tensor& data, const std::vector<Tensor>& c,
                        const std::vector<Tensor>& h) {
    if (c.size() != cells.size() || h.size() != cells.size()) {
        ops::fail("multiRNNCell", "{} cells with {} and {} states", cells.size(), c.size(), h.size());
    }
    CellStates states;
    Tensor input = data;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        CellState state = cells[i](input, c[i], h[i]);
        input = state.h;
        states.c.push_back(std::move(state.c));
        states.h.push_back(std::move(state.h));
    }
    return states;
}

}  // namespace stile
