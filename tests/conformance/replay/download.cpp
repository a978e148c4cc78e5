#include "download.hpp"

#include <asio/use_awaitable.hpp>

#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <stile/download.hpp>

namespace replay {
namespace {

using nlohmann::json;

json number(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
    return value;
}

json element(float value) { return number(static_cast<double>(value)); }
json element(std::int32_t value) { return value; }
json element(bool value) { return value ? 1 : 0; }

json element(const std::string& value) { return value; }

template <class T>
json list(const std::vector<T>& values) {
    json::array_t out;
    out.reserve(values.size());
    for (const auto& value : values) out.push_back(element(value));
    return out;
}

/// Real and imaginary parts take turns.
json list(const std::vector<std::complex<float>>& values) {
    json::array_t out;
    out.reserve(2 * values.size());
    for (const std::complex<float> value : values) {
        out.push_back(element(value.real()));
        out.push_back(element(value.imag()));
    }
    return out;
}

/// The elements in the dtype's own way: the one place that knows.
asio::awaitable<json> elements(stile::Tensor tensor) {
    switch (tensor.dtype()) {
        case stile::DType::float32: co_return list(co_await tensor.data<float>());
        case stile::DType::int32: co_return list(co_await tensor.data<std::int32_t>());
        case stile::DType::boolean: co_return list(co_await tensor.data<bool>());
        case stile::DType::complex64: co_return list(co_await tensor.data<std::complex<float>>());
        case stile::DType::string: co_return list(co_await tensor.data<std::string>());
    }
    co_return json();
}

asio::awaitable<json> tensorToJson(stile::Tensor tensor) {
    json data = co_await elements(tensor);
    json out;
    out["shape"] = json(std::vector<std::int64_t>(tensor.shape()));
    out["dtype"] = std::string(name(tensor.dtype()));
    out["data"] = std::move(data);
    co_return out;
}

asio::awaitable<json> hostToJson(HostValues host) {
    json values = co_await tensorToJson(host.values);
    json out;
    if (host.kind == "buffer") {
        out["buffer"] = std::move(values);
    } else {
        out["typed"] = host.kind;
        out["data"] = std::move(values["data"]);
    }
    co_return out;
}

}  // namespace

// Not a std::visit: a coroutine may not be a lambda that captures.
asio::awaitable<json> toJson(Results results) {
    auto& value = results.value;
    if (const auto* tensor = std::get_if<stile::Tensor>(&value)) co_return co_await tensorToJson(*tensor);
    if (const auto* host = std::get_if<HostValues>(&value)) co_return co_await hostToJson(*host);
    if (const auto* scalar = std::get_if<double>(&value)) co_return number(*scalar);
    if (const auto* text = std::get_if<std::string>(&value)) co_return *text;
    json out;
    if (auto* items = std::get_if<Results::List>(&value)) {
        out = json::array();
        for (Results& item : *items) out.push_back(co_await toJson(std::move(item)));
    } else if (auto* members = std::get_if<Results::Members>(&value)) {
        out = json::object();
        for (auto& [name, member] : *members) out[name] = co_await toJson(std::move(member));
    }
    co_return out;
}

}  // namespace replay
