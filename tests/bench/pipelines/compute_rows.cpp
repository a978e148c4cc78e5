#include <cstddef>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <stile/stile.hpp>

#include "memory_bound.hpp"
#include "onednn.hpp"
#include "raw_gl.hpp"
#include "row.hpp"
#include "session.hpp"

namespace bench {
namespace {

using stile::Shape;
using stile::Tensor;
using Inputs = std::vector<Tensor>;

struct Pipeline {
    std::string name;
    std::function<Inputs()> inputs;
    std::function<Tensor(const Inputs&)> work;
    std::function<Bound()> bound;
    bool shadersOnly = false;  ///< without kernels that run on the CPU
    std::string peer{};
};

asio::awaitable<double> firstOpToValues(const Inputs& inputs, const std::function<Tensor(const Inputs&)>& work) {
    const auto start = Clock::now();
    const Tensor result = work(inputs);
    const std::vector<float> values = co_await result.data();
    co_return millisecondsSince(start);
}

/// An environment variable for as long as it lives; devices read theirs when they are opened.
class Setting {
  public:
    Setting(const char* name, const char* value) : name_(name) {
        if (const char* before = std::getenv(name)) before_ = before;
        setenv(name, value, 1);
    }
    ~Setting() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
    Setting(const Setting&) = delete;
    Setting& operator=(const Setting&) = delete;

  private:
    const char* name_;
    std::optional<std::string> before_;
};

Figures measure(const Pipeline& pipeline, const Effort& effort) {
    std::optional<Setting> shadersOnly;
    if (pipeline.shadersOnly) shadersOnly.emplace("STILE_HOST_KERNELS", "0");
    Session session;
    const Inputs inputs = pipeline.inputs();
    compute(session, inputs);
    const Bound bound = pipeline.bound();
    const Side ours = awaited(session, [&] { return firstOpToValues(inputs, pipeline.work); });
    const auto [median, boundMedian] = compare(ours, bound.side, effort);
    return {median, boundMedian, bound.of};
}

std::function<Inputs()> uniform(std::vector<Shape> shapes) {
    return [shapes = std::move(shapes)] {
        Inputs out;
        for (const Shape& shape : shapes) out.push_back(stile::randomUniform(shape, 0, 1, out.size() + 1));
        return out;
    };
}

/// For work that memory decides: floats that have to be read and written at least, and floats that are downloaded.
std::function<Bound()> memory(std::size_t moved, std::size_t result) {
    return [moved, result] { return Bound{"memory", triadThenCopy(moved * sizeof(float), result * sizeof(float))}; };
}

Pipeline matMul(const std::string& name, std::int64_t batch, std::int64_t n) {
    const Shape shape = batch == 1 ? Shape{n, n} : Shape{batch, n, n};
    return {name, uniform({shape, shape}), [](const Inputs& in) { return stile::matMul(in[0], in[1]); },
            [batch, n] { return onednnMatMul(batch, n, n, n); }};
}

Pipeline conv(const std::string& name, const ConvWork& what) {
    const stile::ConvOptions options{.strides = what.stride, .padding = stile::Padding::same()};
    const std::int64_t filters = what.depthwise ? 1 : what.filters;
    return {name, uniform({{1, what.size, what.size, what.channels}, {what.taps, what.taps, what.channels, filters}}),
            [options, depthwise = what.depthwise](const Inputs& in) {
                return depthwise ? stile::depthwiseConv2d(in[0], in[1], options) : stile::conv2d(in[0], in[1], options);
            },
            [what] { return onednnConv(what); }};
}

Pipeline shadersOnly(Pipeline pipeline) {
    pipeline.peer = pipeline.name;
    pipeline.name += ", shaders only";
    pipeline.shadersOnly = true;
    return pipeline;
}

Pipeline fft(const std::string& name, std::int64_t n) {
    const auto inputs = [n] { return Inputs{stile::complex(stile::randomUniform({n}, 0, 1, 1), stile::zeros({n}))}; };
    const auto size = static_cast<std::size_t>(n);
    return {name, inputs, [](const Inputs& in) { return stile::real(stile::fft(in[0])); }, memory(4 * size, size)};
}

Tensor chain(const Inputs& in) {
    const Tensor x = stile::relu(in[0] * 1.5F + 0.5F);
    return stile::sum(stile::exp(stile::sqrt(stile::square(x) - 0.25F) * 2.0F));
}

Tensor normalized(const Inputs& in) {
    const stile::Moments moments = stile::moments(in[0], 1, true);
    return (in[0] - moments.mean) / stile::sqrt(moments.variance + 1e-5F);
}

Inputs rowsAndIndices() {
    return {stile::randomUniform({100'000, 16}, 0, 1, 1), stile::randomUniformInt({1'000'000}, 0, 100'000, 2)};
}

std::vector<Pipeline> pipelines() {
    constexpr std::size_t million = 1'000'000, m = std::size_t{1} << 20, photo = 768 * 1024 * 3, tiny = 64 * 64;
    const auto addOne = [](const Inputs& in) { return in[0] + 1.0F; };
    const Pipeline large = matMul("matMul 1024", 1, 1024);
    const Pipeline conv3 = conv("conv2d 3x3 112 32->64", {112, 32, 64, 3, 1});
    return {
        matMul("matMul 128", 1, 128),
        matMul("matMul 512", 1, 512),
        large,
        shadersOnly(large),
        matMul("matMul 2048", 1, 2048),
        matMul("matMul 64x128^3", 64, 128),
        conv3,
        shadersOnly(conv3),
        conv("conv2d 1x1 112 32->64", {112, 32, 64, 1, 1}),
        conv("conv2d 5x5 s2 112 32->64", {112, 32, 64, 5, 2}),
        conv("depthwise 3x3 112 32", {112, 32, 32, 3, 1, true}),
        {"chain of 8 + sum, 4M", uniform({{4 * m}}), chain, memory(4 * m, 1)},
        {"add 4M + download", uniform({{4 * m}}), addOne, memory(8 * m, 4 * m)},
        {"sum 4M", uniform({{4 * m}}), [](const Inputs& in) { return stile::sum(in[0]); }, memory(4 * m, 1)},
        {"softmax 1024x1024", uniform({{1024, 1024}}), [](const Inputs& in) { return stile::softmax(in[0]); },
         memory(2 * m, m)},
        {"moments 1024x1024", uniform({{1024, 1024}}), normalized, memory(2 * m, m)},
        {"transpose 4096x4096", uniform({{4096, 4096}}), [](const Inputs& in) { return stile::transpose(in[0]); },
         memory(32 * m, 16 * m)},
        {"gather 1M rows of 16", rowsAndIndices, [](const Inputs& in) { return stile::gather(in[0], in[1]); },
         memory(33 * million, 16 * million)},
        fft("fft 65536", 65536),
        fft("fft 2^20", 1 << 20),
        {"topk 100 of 1M", uniform({{1'000'000}}), [](const Inputs& in) { return stile::topk(in[0], 100).values; },
         memory(million, 100)},
        {"resizeBilinear 768x1024 to 1536x2048", uniform({{1, 768, 1024, 3}}),
         [](const Inputs& in) { return stile::image::resizeBilinear(in[0], {1536, 2048}); }, memory(5 * photo, 4 * photo)},
        {"tiny op + download", uniform({{64, 64}}), addOne, [] { return Bound{"raw GL", rawRoundTrip(tiny)}; }},
    };
}

}  // namespace

std::vector<Row> computeRows() {
    std::vector<Row> rows;
    for (const Pipeline& pipeline : pipelines()) {
        rows.push_back({pipeline.name, [pipeline](const Effort& effort) { return measure(pipeline, effort); },
                        pipeline.peer.empty() ? pipeline.name : pipeline.peer});
    }
    return rows;
}

}  // namespace bench
