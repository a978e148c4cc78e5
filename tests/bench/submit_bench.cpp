#include <benchmark/benchmark.h>

#include <asio/awaitable.hpp>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/io_context.hpp>

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <stile/stile.hpp>

#include "gl/api.hpp"
#include "gl/context.hpp"

namespace {

void GLAD_API_PTR useProgram(GLuint) {}
void GLAD_API_PTR bindBufferBase(GLenum, GLuint, GLuint) {}
void GLAD_API_PTR activeTexture(GLenum) {}
void GLAD_API_PTR bindTexture(GLenum, GLuint) {}
void GLAD_API_PTR uniform1iv(GLint, GLsizei, const GLint*) {}
void GLAD_API_PTR dispatchCompute(GLuint, GLuint, GLuint) {}
void GLAD_API_PTR memoryBarrier(GLbitfield) {}

/// A context whose driver does nothing for a dispatch, so that what is left is the library's own share.
class IdleContext final : public stile::GlContext {
  public:
    IdleContext() : real_(stile::gl::openHeadless({})) { real_->doneCurrent(); }
    void makeCurrent() override { real_->makeCurrent(); }
    void doneCurrent() noexcept override { real_->doneCurrent(); }
    [[nodiscard]] void* procAddress(const char* name) const override {
        const std::vector<std::pair<std::string_view, void*>> idle{
            {"glUseProgram", reinterpret_cast<void*>(useProgram)},
            {"glBindBufferBase", reinterpret_cast<void*>(bindBufferBase)},
            {"glActiveTexture", reinterpret_cast<void*>(activeTexture)},
            {"glBindTexture", reinterpret_cast<void*>(bindTexture)},
            {"glUniform1iv", reinterpret_cast<void*>(uniform1iv)},
            {"glDispatchCompute", reinterpret_cast<void*>(dispatchCompute)},
            {"glMemoryBarrier", reinterpret_cast<void*>(memoryBarrier)},
        };
        for (const auto& [known, function] : idle) {
            if (known == name) return function;
        }
        return real_->procAddress(name);
    }
    [[nodiscard]] bool es() const noexcept override { return false; }

  private:
    std::unique_ptr<stile::GlContext> real_;
};

constexpr int length = 1000;

using Step = stile::Tensor (*)(const stile::Tensor&, const stile::Tensor&);

asio::awaitable<void> submissions(benchmark::State& state, Step step) {
    const stile::Tensor one = stile::ones({16, 16}) + 0.0F;
    co_await stile::eval(one);
    for (auto _ : state) {
        stile::Tensor x = one;
        for (int i = 0; i < length; ++i) x = step(x, one);
        co_await stile::eval(x);
    }
    state.SetItemsProcessed(state.iterations() * length);
}

/// What an operation costs from its recording to the end of its GL commands, driver apart: a chain without fusion.
void submit(benchmark::State& state, Step step) {
    const stile::Device device =
        stile::Device::open({.context = std::make_shared<IdleContext>(), .maxRecorded = 2 * length, .fusion = false});
    asio::io_context loop;
    asio::co_spawn(loop, submissions(state, step), asio::detached);
    loop.run();
}
BENCHMARK_CAPTURE(submit, add, [](const stile::Tensor& x, const stile::Tensor& one) { return x + one; })
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(submit, matMul, [](const stile::Tensor& x, const stile::Tensor& one) { return stile::matMul(x, one); })
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK_CAPTURE(submit, sum, [](const stile::Tensor& x, const stile::Tensor&) { return stile::sum(x, 0, true); })
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
