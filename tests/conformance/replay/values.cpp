#include "values.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <stile/create.hpp>

#include "mismatch.hpp"

namespace replay {
namespace {

using stile::DType;
using stile::Nested;
using stile::Shape;
using stile::Tensor;

constexpr double infinity = std::numeric_limits<double>::infinity();

const std::string* textOf(const Json& value) { return value.get_ptr<const std::string*>(); }

std::optional<double> named(const std::string& text) {
    if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (text == "Infinity") return infinity;
    if (text == "-Infinity") return -infinity;
    return {};
}

Shape toShape(const Json& value) {
    const auto extents = value.get<std::vector<std::int64_t>>();
    return Shape(extents);
}

template <class T>
std::vector<T> elements(const Json& data) {
    std::vector<T> out;
    out.reserve(data.size());
    for (const Json& item : data) out.push_back(static_cast<T>(item.is_boolean() ? item.get<bool>() : toNumber(item)));
    return out;
}

template <class T>
Tensor numbers(const Json& data, const Shape& shape) {
    return stile::tensor(elements<T>(data), shape);
}

/// Real and imaginary parts take turns.
Tensor pairs(const Json& data, const Shape& shape) {
    const std::vector<float> parts = elements<float>(data);
    std::vector<std::complex<float>> out;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2) out.emplace_back(parts[i], parts[i + 1]);
    return stile::tensor(std::move(out), shape);
}

Tensor texts(const Json& data, const Shape& shape) { return stile::tensor(data.get<std::vector<std::string>>(), shape); }

/// How the elements of a dtype are read: the one place that knows.
struct Reader {
    std::string_view name;
    DType dtype;
    Tensor (*read)(const Json& data, const Shape& shape);
};
constexpr std::array readers{
    Reader{"float32", DType::float32, numbers<float>},
    Reader{"int32", DType::int32, numbers<std::int32_t>},
    Reader{"bool", DType::boolean, numbers<bool>},
    Reader{"complex64", DType::complex64, pairs},
    Reader{"string", DType::string, texts},
};

const Reader& readerOf(std::string_view name) {
    for (const Reader& reader : readers) {
        if (reader.name == name) return reader;
    }
    throw Mismatch("no dtype is named '" + std::string(name) + "'");
}

DType typedArrayDType(const Json& value) { return value["typed"] == "Float32Array" ? DType::float32 : DType::int32; }

/// What the first typed array inside says; lists of plain numbers say nothing.
std::optional<DType> dtypeInside(const Json& value) {
    if (isTypedArray(value)) return typedArrayDType(value);
    if (value.is_array() && !value.empty()) return dtypeInside(value.front());
    return {};
}

/// The bytes of a string.
std::string bytesOf(const Json& value) {
    std::string out;
    for (const Json& byte : value["data"]) out += static_cast<char>(byte.get<int>());
    return out;
}

Nested nested(const Json& value, bool bytesAreText) {
    if (value.is_boolean()) return value.get<bool>();
    if (bytesAreText && isTypedArray(value)) return bytesOf(value);
    if (!bytesAreText && isNumber(value)) return toNumber(value);
    if (value.is_number()) return toNumber(value);
    if (const std::string* text = textOf(value)) return *text;
    if (!value.is_array() && !isTypedArray(value)) throw Mismatch("no number: " + value.dump());
    std::vector<Nested> items;
    for (const Json& item : value.is_array() ? value : value["data"]) {
        // JavaScript stores null as the number 0.
        items.push_back(item.is_null() ? Nested(0) : nested(item, bytesAreText));
    }
    return Nested(std::move(items));
}

}  // namespace

DType dtypeNamed(std::string_view name) { return readerOf(name).dtype; }

bool isNumber(const Json& value) { return value.is_number() || (value.is_string() && named(*textOf(value))); }

double toNumber(const Json& value) {
    if (value.is_number()) return value.get<double>();
    if (const std::string* text = textOf(value)) {
        if (const auto number = named(*text)) return *number;
    }
    throw Mismatch("no number: " + value.dump());
}

bool isTensor(const Json& value) { return value.is_object() && value.contains("shape") && value.contains("dtype"); }

bool isTypedArray(const Json& value) { return value.is_object() && value.contains("typed"); }

Nested toNested(const Json& value, std::optional<DType> dtype) { return nested(value, dtype == DType::string); }

Tensor toTensor(const Json& value, std::optional<DType> dtype) {
    if (isTensor(value)) {
        return readerOf(value["dtype"].get<std::string>()).read(value["data"], toShape(value["shape"]));
    }
    if (!dtype) dtype = dtypeInside(value);
    const Nested host = toNested(value, dtype);
    return dtype ? stile::tensor(host, *dtype) : stile::tensor(host);
}

}  // namespace replay
