#pragma once

#include <functional>
#include <vector>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {

/// The state of a recurrent cell.
struct CellState {
    Tensor c;  ///< what it remembers
    Tensor h;  ///< what it puts out
};

/// One step of a long short-term memory without peepholes (Hochreiter and Schmidhuber, 1997; with the forget gate of Gers et al., 2000):
/// data [batch, d], c and h [batch, n], kernel [d + n, 4 n], bias [4 n] with the gates in the order input, new input, forget,
/// output. \throws Error `invalid_argument` for shapes that do not go together.
[[nodiscard]] CellState basicLSTMCell(const Tensor& forgetBias, const Tensor& kernel, const Tensor& bias, const Tensor& data,
                                      const Tensor& c, const Tensor& h);

/// One step of a cell: data and state give the next state.
using RecurrentCell = std::function<CellState(const Tensor& data, const Tensor& c, const Tensor& h)>;
/// The states of several cells.
struct CellStates {
    std::vector<Tensor> c;  ///< what they remember
    std::vector<Tensor> h;  ///< what they put out
};
/// One step of a stack of cells: each takes the output of the one before as its data.
/// \throws Error `invalid_argument` unless there are as many states as cells.
[[nodiscard]] CellStates multiRNNCell(const std::vector<RecurrentCell>& cells, const Tensor& data, const std::vector<Tensor>& c,
                                      const std::vector<Tensor>& h);

}  // namespace stile
