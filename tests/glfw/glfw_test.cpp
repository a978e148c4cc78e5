#define BOOST_TEST_MODULE glfw
#include <boost/test/unit_test.hpp>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <asio/use_future.hpp>

#include <memory>
#include <thread>
#include <vector>

#include <stile/glfw.hpp>
#include <stile/stile.hpp>

#include "run.hpp"

namespace {

struct Glfw {
    void setup() { BOOST_TEST_REQUIRE(glfwInit() == GLFW_TRUE); }
    void teardown() { glfwTerminate(); }
};
BOOST_TEST_GLOBAL_FIXTURE(Glfw);

using Window = std::unique_ptr<GLFWwindow, decltype(&glfwDestroyWindow)>;

Window hidden(int api, int major, int minor) {
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_CLIENT_API, api);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, major);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, minor);
    if (api == GLFW_OPENGL_API) glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    Window window(glfwCreateWindow(64, 64, "test", nullptr, nullptr), glfwDestroyWindow);
    BOOST_TEST_REQUIRE(window.get());
    return window;
}

Window desktopWindow() { return hidden(GLFW_OPENGL_API, 4, 3); }

constexpr unsigned arrayBuffer = 0x8892, arrayBufferBinding = 0x8894;

template <class Function>
Function function(const char* name) {
    return reinterpret_cast<Function>(glfwGetProcAddress(name));
}

std::vector<float> roots(const stile::Device& device) {
    return test::run(stile::sqrt(stile::tensor({1, 4, 9}).on(device)).data());
}

const std::vector<float> oneTwoThree{1, 2, 3};

bool isNoContext(const stile::Error& error) { return error.code() == stile::errc::no_context; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_window_computes_on_its_own_loop_and_keeps_its_state) {
    const Window window = desktopWindow();
    glfwMakeContextCurrent(window.get());
    unsigned buffer = 0;
    function<void (*)(int, unsigned*)>("glGenBuffers")(1, &buffer);
    function<void (*)(unsigned, unsigned)>("glBindBuffer")(arrayBuffer, buffer);

    asio::io_context loop;
    const stile::Device device = stile::glfw::attach(loop.get_executor(), window.get());
    const stile::Tensor root = stile::sqrt(stile::tensor({1, 4, 9}).on(device));
    auto values = asio::co_spawn(loop, root.data(), asio::use_future);
    loop.run();
    BOOST_TEST(values.get() == oneTwoThree);
    int bound = 0;
    function<void (*)(unsigned, int*)>("glGetIntegerv")(arrayBufferBinding, &bound);
    BOOST_TEST(bound == static_cast<int>(buffer));
}

BOOST_AUTO_TEST_CASE(attach_wants_the_windows_context_to_be_current) {
    const Window window = desktopWindow();
    glfwMakeContextCurrent(nullptr);
    asio::io_context loop;
    BOOST_CHECK_EXCEPTION((void)stile::glfw::attach(loop.get_executor(), window.get()), stile::Error, isNoContext);
    BOOST_CHECK_EXCEPTION((void)stile::glfw::attach(loop.get_executor(), nullptr), stile::Error, isNoContext);
}

BOOST_AUTO_TEST_CASE(a_gl_thread_takes_a_context_that_shares_with_a_window) {
    const Window window = desktopWindow();
    glfwMakeContextCurrent(window.get());
    stile::Device device = stile::Device::open({.context = stile::glfw::sharedContext(window.get())});
    BOOST_TEST(roots(device) == oneTwoThree);
    BOOST_TEST(!device.driver().es);
    BOOST_TEST(glfwGetCurrentContext() == window.get());
}

BOOST_AUTO_TEST_CASE(an_es_window_gives_an_es_device) {
    const Window window = hidden(GLFW_OPENGL_ES_API, 3, 1);
    stile::Device device = stile::Device::open({.context = stile::glfw::sharedContext(window.get())});
    BOOST_TEST(device.driver().es);
    BOOST_TEST(roots(device) == oneTwoThree);
}

BOOST_AUTO_TEST_CASE(objects_are_shared) {
    const Window window = desktopWindow();
    glfwMakeContextCurrent(window.get());
    unsigned buffer = 0;
    function<void (*)(int, unsigned*)>("glGenBuffers")(1, &buffer);
    function<void (*)(unsigned, unsigned)>("glBindBuffer")(arrayBuffer, buffer);
    BOOST_TEST_REQUIRE(buffer != 0U);

    const std::shared_ptr<stile::GlContext> context = stile::glfw::sharedContext(window.get());
    bool known = false;
    std::thread([&] {
        context->makeCurrent();
        known = reinterpret_cast<unsigned char (*)(unsigned)>(context->procAddress("glIsBuffer"))(buffer) != 0;
        context->doneCurrent();
    }).join();
    BOOST_TEST(known);
}

BOOST_AUTO_TEST_CASE(the_shared_context_ends_with_its_device_and_outlives_its_window) {
    Window window = desktopWindow();
    std::weak_ptr<stile::GlContext> watched;
    const auto share = [&] {
        auto context = stile::glfw::sharedContext(window.get());
        watched = context;
        return context;
    };
    stile::Device device = stile::Device::open({.context = share()});
    const stile::Tensor kept = stile::tensor({1, 4, 9}).on(device);
    window.reset();
    BOOST_TEST(test::run(stile::sqrt(kept).data()) == oneTwoThree);
    BOOST_TEST(!watched.expired());
    device.close();
    BOOST_TEST(watched.expired());  // although a tensor still knows the device
}

BOOST_AUTO_TEST_CASE(a_window_without_gl_shares_nothing) {
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    const Window window(glfwCreateWindow(64, 64, "test", nullptr, nullptr), glfwDestroyWindow);
    BOOST_CHECK_EXCEPTION((void)stile::glfw::sharedContext(window.get()), stile::Error, isNoContext);
    BOOST_CHECK_EXCEPTION((void)stile::glfw::sharedContext(nullptr), stile::Error, isNoContext);
}
