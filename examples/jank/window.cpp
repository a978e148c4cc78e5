#include "window.hpp"

#include <fmt/format.h>
#include <asio/co_spawn.hpp>
#include <asio/experimental/awaitable_operators.hpp>
#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/use_future.hpp>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <future>
#include <memory>
#include <stdexcept>
#include <vector>

#include "scene.hpp"
#include "summary.hpp"

namespace jank {
namespace {

std::runtime_error glfwFailure(const char* what) {
    const char* reason = nullptr;
    glfwGetError(&reason);
    return std::runtime_error(fmt::format("{}: {}", what, reason ? reason : "no reason given"));
}

struct Glfw {
    Glfw() {
        if (!glfwInit()) throw glfwFailure("no window system");
    }
    ~Glfw() { glfwTerminate(); }
    Glfw(const Glfw&) = delete;
    Glfw& operator=(const Glfw&) = delete;
};

using WindowHandle = std::unique_ptr<GLFWwindow, decltype(&glfwDestroyWindow)>;

WindowHandle openWindow(Scene& scene) {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    WindowHandle window(glfwCreateWindow(sceneWidth, sceneHeight, "jank", nullptr, nullptr), glfwDestroyWindow);
    if (!window) throw glfwFailure("no window with GL 4.3");
    glfwMakeContextCurrent(window.get());
    glfwSwapInterval(0);  // the loop's timer keeps the time; waiting for the screen would block the loop
    glfwSetWindowUserPointer(window.get(), &scene);
    glfwSetKeyCallback(window.get(), [](GLFWwindow* self, int key, int, int action, int) {
        if (action != GLFW_PRESS) return;
        if (key == GLFW_KEY_ESCAPE) glfwSetWindowShouldClose(self, GLFW_TRUE);
        if (key == GLFW_KEY_S || key == GLFW_KEY_SPACE) {
            Mode& mode = static_cast<Scene*>(glfwGetWindowUserPointer(self))->mode;
            mode = mode == Mode::sync ? Mode::async : Mode::sync;
        }
    });
    return window;
}

/// The window, what it shows, and whether it goes on.
struct Show {
    Scene scene;
    Glfw glfw;
    WindowHandle window = openWindow(scene);
    Painter painter;
    Clock::time_point begin = Clock::now(), last = begin;
    bool running = true;

    void frame(Clock::duration length) {
        const Clock::time_point now = Clock::now();
        glfwPollEvents();
        scene.time = now - begin;
        scene.frameTimes.push_back(milliseconds(now - last));
        if (scene.frameTimes.size() > Scene::graphFrames) scene.frameTimes.pop_front();
        last = now;
        draw();
        glfwSwapBuffers(window.get());
        const bool over = length > Clock::duration::zero() && scene.time >= length;
        if (over || glfwWindowShouldClose(window.get())) running = false;
    }

    void draw() {
        int width = 0, height = 0;
        glfwGetFramebufferSize(window.get(), &width, &height);
        drawScene(painter, scene, width, height);
    }

    void save(const std::filesystem::path& file) {
        draw();
        int width = 0, height = 0;
        glfwGetFramebufferSize(window.get(), &width, &height);
        writePng(file, painter.read(width, height));
    }
};

/// Job after job, downloaded as the keys say.
asio::awaitable<void> work(const Pipeline& pipeline, Show& show) {
    asio::steady_timer turn(co_await asio::this_coro::executor);
    while (show.running) {
        const Job job = pipeline.job(static_cast<int>(show.scene.jobs));
        Results results;
        if (show.scene.mode == Mode::sync) {
            results = downloadSync(job);
        } else {
            results = co_await download(job);
        }
        show.painter.setPicture(pipeline.width(), pipeline.height(), results.edges.flat());
        ++show.scene.jobs;
        turn.expires_at(Clock::now());  // the frame that is due comes first
        co_await turn.async_wait(asio::use_awaitable);
    }
}

asio::awaitable<std::vector<Tick>> animate(const Pipeline& pipeline, Show& show, Clock::duration length) {
    using asio::experimental::awaitable_operators::operator&&;
    std::vector<Tick> frames;
    co_await (beat(framePeriod, show.running, frames, [&] { show.frame(length); }) && work(pipeline, show));
    co_return frames;
}

}  // namespace

bool runWindow(const Options& options, const Pipeline& pipeline) {
    Show show;
    show.scene.mode = options.sync ? Mode::sync : Mode::async;
    const auto length = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.seconds));
    asio::io_context loop;
    std::future<std::vector<Tick>> done = asio::co_spawn(loop, animate(pipeline, show, length), asio::use_future);
    loop.run();
    const std::vector<Tick> frames = done.get();
    fmt::print("{} frames due, {} missed, {} jobs downloaded in {:.3f} s\n", frames.size(),
               std::ranges::count_if(frames, isMissed), show.scene.jobs, milliseconds(show.scene.time) / 1000);
    if (!options.screenshot.empty()) show.save(options.screenshot);
    return true;
}

}  // namespace jank
