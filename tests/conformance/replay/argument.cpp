#include "argument.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <span>

#include "mismatch.hpp"
#include "values.hpp"

namespace replay {
namespace {

/// The numbers of a list, a typed array or a tensor.
const Json& itemsOf(const Json& value) { return value.is_object() && value.contains("data") ? value["data"] : value; }

std::int64_t toInteger(const Argument& argument, double number) {
    if (number != std::floor(number) || std::abs(number) > 9e15) argument.mismatch("not an integer");
    return static_cast<std::int64_t>(number);
}

}  // namespace

Argument::Argument(const Json* value, std::string name) : value_(value), name_(std::move(name)) {}

Argument Argument::operator[](int i) const {
    const bool there = value_ != nullptr && value_->is_array() && i < size();
    return Argument(there ? &(*value_)[static_cast<std::size_t>(i)] : nullptr, name_ + '[' + std::to_string(i) + ']');
}

Argument Argument::operator[](const char* name) const {
    const bool there = value_ != nullptr && value_->is_object() && value_->contains(name);
    return Argument(there ? &(*value_)[name] : nullptr, name_ + '.' + name);
}

int Argument::size() const { return value_ != nullptr && value_->is_array() ? static_cast<int>(value_->size()) : 0; }

bool Argument::given() const {
    return value_ != nullptr && !value_->is_null() && !(value_->is_object() && value_->contains("undefined"));
}
bool Argument::isNull() const { return value_ != nullptr && value_->is_null(); }
bool Argument::isNumber() const { return value_ != nullptr && replay::isNumber(*value_); }
bool Argument::isFlag() const { return value_ != nullptr && value_->is_boolean(); }
bool Argument::isText() const { return value_ != nullptr && value_->is_string(); }
bool Argument::isList() const { return value_ != nullptr && value_->is_array(); }
bool Argument::isTensor() const { return value_ != nullptr && replay::isTensor(*value_); }
bool Argument::isTyped(std::string_view name) const {
    return value_ != nullptr && isTypedArray(*value_) && (*value_)["typed"] == name;
}

stile::Tensor Argument::tensor(std::optional<stile::DType> dtype) const { return toTensor(json(), dtype); }

std::optional<stile::Tensor> Argument::optionalTensor(std::optional<stile::DType> dtype) const {
    if (!given()) return {};
    return tensor(dtype);
}

std::vector<stile::Tensor> Argument::tensors(std::optional<stile::DType> dtype) const {
    if (!json().is_array()) mismatch("no list of tensors");
    std::vector<stile::Tensor> out;
    for (const Json& item : json()) out.push_back(toTensor(item, dtype));
    return out;
}

stile::Nested Argument::nested(std::optional<stile::DType> dtype) const { return toNested(json(), dtype); }

double Argument::number(std::optional<double> otherwise) const {
    if (!given() && otherwise) return *otherwise;
    const Json& value = json();
    if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
    if (!replay::isNumber(value)) mismatch("no number");
    return toNumber(value);
}

std::int64_t Argument::integer(std::optional<std::int64_t> otherwise) const {
    if (!given() && otherwise) return *otherwise;
    return toInteger(*this, number());
}

int Argument::axis(std::optional<int> otherwise) const {
    if (!given() && otherwise) return *otherwise;
    const std::int64_t value = integer();
    if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max()) mismatch("not an axis");
    return static_cast<int>(value);
}

bool Argument::flag(std::optional<bool> otherwise) const {
    if (!given() && otherwise) return *otherwise;
    const Json& value = json();
    if (value.is_boolean()) return value.get<bool>();
    if (replay::isNumber(value)) return toNumber(value) != 0;
    mismatch("no flag");
}

std::string Argument::text(std::optional<std::string> otherwise) const {
    if (!given() && otherwise) return *otherwise;
    if (!json().is_string()) mismatch("no string");
    return json().get<std::string>();
}

std::vector<std::int64_t> Argument::integers() const {
    std::vector<std::int64_t> out;
    for (const double number : numbers()) out.push_back(toInteger(*this, number));
    return out;
}

std::vector<int> Argument::ints() const {
    std::vector<int> out;
    for (const std::int64_t value : integers()) out.push_back(static_cast<int>(value));
    return out;
}

std::vector<double> Argument::numbers() const {
    if (!given()) return {};
    if (isNumber()) return {toNumber(*value_)};
    const Json& items = itemsOf(*value_);
    if (!items.is_array()) mismatch("no list of numbers");
    std::vector<double> out;
    out.reserve(items.size());
    for (const Json& item : items) out.push_back(toNumber(item));
    return out;
}

std::vector<std::string> Argument::texts() const {
    if (!given()) return {};
    const Json& items = itemsOf(*value_);
    if (!items.is_array()) mismatch("no list of strings");
    std::vector<std::string> out;
    for (const Json& item : items) {
        if (!item.is_string()) mismatch("no list of strings");
        out.push_back(item.get<std::string>());
    }
    return out;
}

stile::Shape Argument::shape() const {
    if (!given()) mismatch("no shape");
    const std::vector<std::int64_t> extents = integers();
    return stile::Shape(std::span<const std::int64_t>(extents));
}

stile::Axes Argument::axes() const { return given() ? stile::Axes(ints()) : stile::Axes(); }

stile::DType Argument::dtype(stile::DType otherwise) const { return given() ? dtypeNamed(text()) : otherwise; }

const Json& Argument::json() const {
    if (value_ == nullptr) mismatch("not given");
    return *value_;
}

void Argument::mismatch(const std::string& why) const {
    throw Mismatch(name_ + ": " + why + (value_ != nullptr ? " (" + value_->dump().substr(0, 80) + ')' : ""));
}

}  // namespace replay
