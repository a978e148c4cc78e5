#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <dnnl.hpp>
#include <list>
#include <utility>

#include "tensor/primitive.hpp"

namespace stile::cpu {

namespace prim = detail::prim;

/// All that decides how oneDNN does a convolution.
struct Geometry {
    bool transposed = false;
    std::int64_t batch = 1;
    std::int64_t groups = 1, channels = 1, outputs = 1;  ///< channels and outputs of all groups
    std::int64_t height = 1, width = 1, outHeight = 1, outWidth = 1;
    prim::Window window;

    [[nodiscard]] auto key() const {
        const prim::Window& w = window;
        return std::array{std::int64_t{transposed},
                          batch,
                          groups,
                          channels,
                          outputs,
                          height,
                          width,
                          outHeight,
                          outWidth,
                          w.height,
                          w.width,
                          w.strideY,
                          w.strideX,
                          w.dilationY,
                          w.dilationX,
                          w.top,
                          w.left};
    }
};

/// Two primitives and how they see their tensors.
struct Convolution {
    dnnl::memory::desc x, filter, out;
    dnnl::memory::desc ordered{};  ///< the filter as the primitive wants it
    dnnl::primitive order{}, convolve{};
};

/// Makes convolutions, which takes as long as a small one runs, and keeps the last ones.
class Convolutions {
  public:
    /// It has no primitives if oneDNN has no good ones.
    [[nodiscard]] Convolution of(const Geometry& geometry);
    [[nodiscard]] const dnnl::engine& engine() const noexcept { return engine_; }
    [[nodiscard]] const dnnl::stream& stream() const noexcept { return stream_; }

  private:
    using Entry = std::pair<decltype(Geometry{}.key()), Convolution>;
    static constexpr std::size_t most = 128;
    dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
    dnnl::stream stream_{engine_};
    std::list<Entry> made_;  ///< the last used first
};

}  // namespace stile::cpu
