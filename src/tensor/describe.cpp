#include "tensor/describe.hpp"

#include <fmt/format.h>

#include "stile/error.hpp"
#include "tensor/node.hpp"

namespace stile::detail {

std::string described(std::span<const Tensor> tensors) {
    std::string out;
    for (const Tensor& tensor : tensors) {
        if (out.size() > 200) return out + ", …";
        out += fmt::format("{}{} {}", out.empty() ? "" : ", ", tensor.node()->name, toString(tensor.shape()));
    }
    return out.empty() ? "everything before" : out;
}

std::string words(const std::system_error& error) {
    std::string text = error.what();
    const std::string meaning = ": " + error.code().message();
    if (text.ends_with(meaning)) text.resize(text.size() - meaning.size());
    return text;
}

std::exception_ptr Failure::waitingFor(const std::string& what) const {
    return std::make_exception_ptr(Error(code, text + ", waiting for " + what));
}

}  // namespace stile::detail
