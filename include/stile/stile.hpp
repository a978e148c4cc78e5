#pragma once

/// Tensors on OpenGL compute shaders whose downloads never block an Asio event loop.
namespace stile {}

// Everything but windows (<stile/glfw.hpp>).
#include <stile/attach.hpp>
#include <stile/buffer.hpp>
#include <stile/context.hpp>
#include <stile/create.hpp>
#include <stile/device.hpp>
#include <stile/download.hpp>
#include <stile/dtype.hpp>
#include <stile/error.hpp>
#include <stile/find.hpp>
#include <stile/format.hpp>
#include <stile/guarded.hpp>
#include <stile/log.hpp>
#include <stile/mapped.hpp>
#include <stile/ndarray.hpp>
#include <stile/non_max_suppression.hpp>
#include <stile/ops.hpp>
#include <stile/pixels.hpp>
#include <stile/profile.hpp>
#include <stile/ragged.hpp>
#include <stile/random.hpp>
#include <stile/shape.hpp>
#include <stile/sparse.hpp>
#include <stile/stream.hpp>
#include <stile/sync.hpp>
#include <stile/tensor.hpp>
#include <stile/variable.hpp>
