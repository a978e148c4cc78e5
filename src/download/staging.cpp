#include "download/staging.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gl/blocking.hpp"
#include "gl/buffer.hpp"
#include "stile/error.hpp"

namespace stile::download {

StagingBlock::~StagingBlock() { owner_->give(*this); }

std::span<const std::byte> StagingBlock::read() {
    if (mapped_ && !landed_) gl::countBlocking("staging memory read before its fence");
    if (mapped_) return {mapped_, capacity_};
    if (!copy_.empty()) return copy_;
    const gl::Api& gl = owner_->gl_;
    gl.BindBuffer(GL_COPY_READ_BUFFER, buffer_);
    const std::byte* bytes = gl::mapToRead(gl, GL_COPY_READ_BUFFER, capacity_, 0, landed_);
    if (bytes) copy_.assign(bytes, bytes + capacity_);
    // What was read is worth nothing if the memory went away meanwhile, which GL tells only now.
    const bool kept = bytes && gl.UnmapBuffer(GL_COPY_READ_BUFFER);
    gl.BindBuffer(GL_COPY_READ_BUFFER, 0);
    if (kept) return copy_;
    copy_.clear();
    const std::string words = gl::takeError(gl);
    throw Error(bytes ? errc::gl_error : errc::out_of_memory, fmt::format("mapping {} bytes of staging memory: {}", capacity_,
                                                                          words.empty() ? "its contents were lost" : words));
}

void StagingBlock::lend() noexcept {
    if (!std::exchange(lent_, true)) owner_->lend(capacity_);
}

std::shared_ptr<StagingBlock> Staging::take(std::size_t bytes) {
    const std::size_t capacity = gl::BufferPool::sizeClass(bytes);
    const auto handOut = [&](GLuint buffer, const std::byte* mapped) {
        auto block = std::make_shared<StagingBlock>(shared_from_this(), buffer, capacity, mapped);
        inUse_ += capacity;
        return block;
    };
    {
        const std::lock_guard lock(mutex_);
        const auto found = std::ranges::find(kept_, capacity, &Idle::capacity);
        if (found != kept_.end()) {
            const Idle idle = *found;
            kept_.erase(found);
            idle_ -= capacity;
            return handOut(idle.buffer, idle.mapped);
        }
    }
    GLuint buffer = 0;
    const std::byte* mapped = nullptr;
    std::string words = allocate(buffer, mapped, capacity);
    if (!words.empty()) {
        {
            const std::lock_guard lock(mutex_);
            for (const Idle& idle : std::exchange(kept_, {})) dropped_.push_back(idle);
            idle_ = 0;
        }
        collect();
        words = allocate(buffer, mapped, capacity);
    }
    if (!words.empty()) {
        throw Error(
            gl::codeOf(words) == errc::device_lost ? errc::device_lost : errc::out_of_memory,
            fmt::format("{} bytes of staging memory, {} in use, {} lent: {}", capacity, inUse_.load(), lent_.load(), words));
    }
    return handOut(buffer, mapped);
}

/// What GL complained of; empty on success.
std::string Staging::allocate(GLuint& buffer, const std::byte*& mapped, std::size_t capacity) {
    errors_.keep();
    gl_.GenBuffers(1, &buffer);
    gl_.BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    const auto size = static_cast<GLsizeiptr>(capacity);
    if (driver_.bufferStorage) {
        // Storage that is mapped for reading lands in CPU-cached memory.
        constexpr GLbitfield lasting = GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
        gl_.BufferStorage(GL_COPY_WRITE_BUFFER, size, nullptr, GL_MAP_READ_BIT | lasting);
        mapped = gl::mapToRead(gl_, GL_COPY_WRITE_BUFFER, capacity, lasting, true);
    } else {
        gl_.BufferData(GL_COPY_WRITE_BUFFER, size, nullptr, GL_STREAM_READ);
    }
    gl_.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    std::string words = gl::takeError(gl_);
    if (words.empty() && driver_.bufferStorage && !mapped) words = "no mapping";
    if (!words.empty()) gl_.DeleteBuffers(1, &buffer);
    return words;
}

void Staging::lend(std::size_t capacity) noexcept {
    lent_ += capacity;
    inUse_ -= capacity;
}

void Staging::give(const StagingBlock& block) noexcept {
    bool wake = false;
    std::shared_ptr<void> context;  // goes when the mutex is free
    {
        const std::lock_guard lock(mutex_);
        if (!closed_) {
            kept_.push_front({block.buffer_, block.capacity_, block.mapped_});
            idle_ += block.capacity_;
            while (idle_ > cap_) {
                idle_ -= kept_.back().capacity;
                dropped_.push_back(kept_.back());
                kept_.pop_back();
            }
            wake = !dropped_.empty() && block.lent_;  // on the GL executor somebody collects anyway
        }
        // Last, so that whoever adds up what there is never misses the block.
        (block.lent_ ? lent_ : inUse_) -= block.capacity_;
        if (closed_ && lent_ == 0) context = std::move(context_);
    }
    if (wake && wake_) wake_();
}

void Staging::collect() {
    std::vector<Idle> dropped;
    {
        const std::lock_guard lock(mutex_);
        dropped.swap(dropped_);
    }
    for (const Idle& idle : dropped) gl_.DeleteBuffers(1, &idle.buffer);
}

void Staging::close(bool contextIsLost, std::shared_ptr<void> context) {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    if (!contextIsLost) {
        for (const Idle& idle : kept_) gl_.DeleteBuffers(1, &idle.buffer);
        for (const Idle& idle : dropped_) gl_.DeleteBuffers(1, &idle.buffer);
    }
    kept_.clear();
    dropped_.clear();
    idle_ = 0;
    if (lent_ > 0) context_ = std::move(context);
}

}  // namespace stile::download
