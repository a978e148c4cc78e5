#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <stile/create.hpp>
#include <stile/tensor.hpp>

#include "json.hpp"

namespace replay {

/// One argument of a recorded call, or the list of all: `a[0].tensor()`, `a[1].integer(-1)`, `a[0]["activation"].text("linear")`.
///
/// Accessors with a default return it where nothing was given: left out, undefined or null. All throw Mismatch where the value is
/// of another kind than the typed API takes.
class Argument {
  public:
    /// `value` may be null: nothing was given. `name` is what messages call it.
    explicit Argument(const Json* value, std::string name = "arguments");

    /// The i-th item of a list; nothing behind its end.
    [[nodiscard]] Argument operator[](int i) const;
    /// A member of an object.
    [[nodiscard]] Argument operator[](const char* name) const;
    /// The number of items of a list; 0 for anything else.
    [[nodiscard]] int size() const;

    /// Neither left out, undefined nor null.
    [[nodiscard]] bool given() const;
    /// Null was given, which is not always the same as nothing.
    [[nodiscard]] bool isNull() const;
    [[nodiscard]] bool isNumber() const;
    [[nodiscard]] bool isFlag() const;
    [[nodiscard]] bool isText() const;
    [[nodiscard]] bool isList() const;
    [[nodiscard]] bool isTensor() const;
    /// A typed array of this name ("Float32Array").
    [[nodiscard]] bool isTyped(std::string_view name) const;

    /// A tensor, number, nested list or typed array. Where the operation wants a dtype, host values become that one.
    [[nodiscard]] stile::Tensor tensor(std::optional<stile::DType> dtype = {}) const;
    /// The same, nothing if nothing was given.
    [[nodiscard]] std::optional<stile::Tensor> optionalTensor(std::optional<stile::DType> dtype = {}) const;
    /// A list of these.
    [[nodiscard]] std::vector<stile::Tensor> tensors(std::optional<stile::DType> dtype = {}) const;

    /// A number, a string, or nested lists of them, as creating functions take them.
    [[nodiscard]] stile::Nested nested(std::optional<stile::DType> dtype = {}) const;

    [[nodiscard]] double number(std::optional<double> otherwise = {}) const;
    [[nodiscard]] std::int64_t integer(std::optional<std::int64_t> otherwise = {}) const;
    /// An integer as the API takes axes.
    [[nodiscard]] int axis(std::optional<int> otherwise = {}) const;
    [[nodiscard]] bool flag(std::optional<bool> otherwise = {}) const;
    [[nodiscard]] std::string text(std::optional<std::string> otherwise = {}) const;

    /// Of a list, a typed array or a tensor's data; a single number is a list of one. Empty if nothing was given.
    [[nodiscard]] std::vector<std::int64_t> integers() const;
    [[nodiscard]] std::vector<int> ints() const;
    [[nodiscard]] std::vector<double> numbers() const;
    [[nodiscard]] std::vector<std::string> texts() const;

    [[nodiscard]] stile::Shape shape() const;
    /// All axes if nothing was given.
    [[nodiscard]] stile::Axes axes() const;
    [[nodiscard]] stile::DType dtype(stile::DType otherwise) const;

    /// The enumerator that a string names.
    template <class Enum>
    [[nodiscard]] Enum choice(std::initializer_list<std::pair<std::string_view, Enum>> names,
                              std::optional<Enum> otherwise = {}) const {
        if (!given() && otherwise) return *otherwise;
        const std::string word = text();
        for (const auto& [name, value] : names) {
            if (name == word) return value;
        }
        mismatch("no enumerator is named '" + word + "'");
    }

    /// The JSON itself. \throws Mismatch if nothing was given.
    [[nodiscard]] const Json& json() const;
    /// \throws Mismatch that names the argument.
    [[noreturn]] void mismatch(const std::string& why) const;

  private:
    const Json* value_;
    std::string name_;
};

/// All arguments of a call.
using Arguments = Argument;

}  // namespace replay
