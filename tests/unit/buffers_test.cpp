#define BOOST_TEST_MODULE buffers
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "gl/buffer.hpp"

// The pool of buffers on a driver whose buffers are ordinary memory and can stay mapped.

using stile::gl::Api;
using stile::gl::Buffer;
using stile::gl::BufferLease;
using stile::gl::BufferPool;
using stile::gl::Driver;
using stile::gl::ErrorLedger;

namespace {

/// Just enough of GL for buffers.
struct FakeGl {
    std::map<GLuint, std::vector<std::byte>> buffers;
    GLuint made = 0, bound = 0;
    bool maps = true;
    static inline FakeGl* current = nullptr;

    FakeGl() { current = this; }
    void allocate(GLsizeiptr size) { buffers[bound].resize(static_cast<std::size_t>(size)); }

    static Api api() {
        Api gl{};
        gl.GetError = [] { return GLenum{GL_NO_ERROR}; };
        gl.GenBuffers = [](GLsizei, GLuint* out) { current->buffers[*out = ++current->made] = {}; };
        gl.DeleteBuffers = [](GLsizei, const GLuint* names) { current->buffers.erase(*names); };
        gl.BindBuffer = [](GLenum, GLuint name) { current->bound = name; };
        gl.BufferData = [](GLenum, GLsizeiptr size, const void*, GLenum) { current->allocate(size); };
        gl.BufferStorage = [](GLenum, GLsizeiptr size, const void*, GLbitfield) { current->allocate(size); };
        gl.MapBufferRange = [](GLenum, GLintptr, GLsizeiptr, GLbitfield) -> void* {
            return current->maps ? current->buffers[current->bound].data() : nullptr;
        };
        return gl;
    }
};

struct Pool {
    FakeGl fake;
    Api gl = FakeGl::api();
    Driver driver;
    ErrorLedger errors{gl};
    std::shared_ptr<BufferPool> pool;

    explicit Pool(bool hostVisible = true) {
        driver.hostVisible = hostVisible;
        pool = std::make_shared<BufferPool>(gl, driver, errors, std::size_t{1} << 20, 0);
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_buffer_that_is_given_back_stays_mapped_for_the_next) {
    Pool f;
    const std::byte* first = f.pool->take(1000)->mapped();
    BOOST_TEST(first != nullptr);
    BOOST_TEST(f.pool->take(1000)->mapped() == first);
    BOOST_TEST(f.fake.made == 1U);
}

BOOST_AUTO_TEST_CASE(a_driver_whose_memory_is_its_own_maps_nothing) {
    Pool f(false);
    BOOST_TEST(f.pool->take(1000)->mapped() == nullptr);
    BOOST_TEST(!f.pool->isMapped());
}

BOOST_AUTO_TEST_CASE(a_driver_that_fails_to_map_is_asked_once_and_its_buffers_work_unmapped) {
    Pool f;
    f.fake.maps = false;
    const std::shared_ptr<Buffer> buffer = f.pool->take(1000);
    BOOST_TEST(buffer->mapped() == nullptr);
    BOOST_TEST(f.fake.buffers.size() == 1U);
    BOOST_TEST(f.fake.buffers.at(buffer->name()).size() == buffer->capacity());
    f.fake.maps = true;
    BOOST_TEST(f.pool->take(2000)->mapped() == nullptr);
}

BOOST_AUTO_TEST_CASE(a_lent_buffer_returns_to_the_pool_with_its_last_lease) {
    Pool f;
    std::shared_ptr<Buffer> buffer = f.pool->take(1000);
    const std::size_t capacity = buffer->capacity();
    auto one = std::make_unique<BufferLease>(buffer), two = std::make_unique<BufferLease>(buffer);
    buffer.reset();
    BOOST_TEST(f.pool->lentBytes() == capacity);
    one.reset();
    BOOST_TEST(f.pool->lentBytes() == capacity);
    BOOST_TEST(f.pool->idleBytes() == 0U);
    two.reset();
    BOOST_TEST(f.pool->lentBytes() == 0U);
    BOOST_TEST(f.pool->idleBytes() == capacity);
}

BOOST_AUTO_TEST_CASE(what_is_on_lease_outlives_the_pool_and_keeps_the_context) {
    Pool f;
    const std::shared_ptr<Buffer> held = f.pool->take(1000), lent = f.pool->take(1000);
    auto lease = std::make_unique<BufferLease>(lent);
    auto context = std::make_shared<int>();
    f.pool->keepWhileLent(context);
    f.pool->close(false);
    BOOST_TEST(f.fake.buffers.size() == 1U);
    BOOST_TEST(f.fake.buffers.contains(lent->name()));
    BOOST_TEST(context.use_count() == 2);
    lease.reset();
    BOOST_TEST(context.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(a_pool_that_lends_nothing_keeps_no_context) {
    Pool f;
    const std::shared_ptr<Buffer> held = f.pool->take(1000);
    const auto context = std::make_shared<int>();
    f.pool->keepWhileLent(context);
    BOOST_TEST(context.use_count() == 1);
}
