#include "device/gl_thread.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>

#include <thread>
#include <utility>

#include "stile/detail/readable.hpp"

namespace stile::detail {

struct GlThread::Loop {
    asio::io_context context{1};
    asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
    std::thread thread{[this] { run(); }};

    void run();
};

/// A burst of downloads comes in steps of some tens of microseconds: for so long after the last function the thread looks for the
/// next one before it sleeps, because waking it takes half as long as a small kernel.
constexpr std::chrono::microseconds attention{40};

void GlThread::Loop::run() {
    while (context.run_one() > 0) {
        auto last = std::chrono::steady_clock::now();
        for (auto now = last; now - last < attention; now = std::chrono::steady_clock::now()) {
            if (context.poll() > 0) last = std::chrono::steady_clock::now();
        }
    }
}

GlThread::GlThread() : loop_(std::make_unique<Loop>()) {}

GlThread::~GlThread() { stop(); }

bool GlThread::post(std::function<void()> function) {
    asio::post(loop_->context, std::move(function));
    return true;
}

void GlThread::postAfter(std::chrono::nanoseconds delay, std::function<void()> function) {
    auto timer = std::make_shared<asio::steady_timer>(loop_->context, delay);
    timer->async_wait([timer, function = std::move(function)](const asio::error_code& error) {
        if (!error) function();
    });
}

std::shared_ptr<void> GlThread::postWhenReadable(int descriptor, std::chrono::nanoseconds within,
                                                 std::function<void()> function) {
    return awaitReadable(loop_->context.get_executor(), descriptor, within, std::move(function));
}

bool GlThread::isHere() const noexcept { return std::this_thread::get_id() == loop_->thread.get_id(); }

void GlThread::stop() {
    if (!loop_->thread.joinable()) return;
    // Not `stop()`: what was posted before still runs. Timers would keep the loop alive, so the last function ends it.
    asio::post(loop_->context, [this] { loop_->context.stop(); });
    loop_->thread.join();
}

void nameThread() noexcept { (void)pthread_setname_np(pthread_self(), "stile-gl"); }

void lowerThreadPriority() noexcept {
    constexpr int nicer = 10;
    // On Linux both belong to the thread, and new threads inherit them. Failure is harmless. A batch thread that
    // wakes up interrupts nobody.
    const sched_param none{};
    (void)pthread_setschedparam(pthread_self(), SCHED_BATCH, &none);
    (void)setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), nicer);
}

}  // namespace stile::detail
