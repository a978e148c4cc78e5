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
    if (!mapped_) {
        const gl::Api& gl = owner_->gl_;
        gl.BindBuffer(GL_COPY_READ_BUFFER, buffer_);
        mapped_ = gl::mapToRead(gl, GL_COPY_READ_BUFFER, capacity_, 0, landed_);
        gl.BindBuffer(GL_COPY_READ_BUFFER, 0);
        if (!mapped_) {
            throw Error(errc::out_of_memory,
                        fmt::format("mapping {} bytes of staging memory: {}", capacity_, gl::takeError(gl)));
        }
        temporary_ = true;
    }
    return {mapped_, capacity_};
}

std::unique_ptr<StagingBlock> Staging::take(std::size_t bytes) {
    const std::size_t capacity = gl::BufferPool::sizeClass(bytes);
    const auto found = std::ranges::find(kept_, capacity, &Idle::capacity);
    if (found != kept_.end()) {
        auto block = std::make_unique<StagingBlock>(shared_from_this(), found->buffer, capacity, found->mapped);
        kept_.erase(found);
        idle_ -= capacity;
        inUse_ += capacity;
        return block;
    }
    errors_.keep();
    GLuint buffer = 0;
    gl_.GenBuffers(1, &buffer);
    gl_.BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    const std::byte* mapped = nullptr;
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
    const std::string words = gl::takeError(gl_);
    if (!words.empty() || (driver_.bufferStorage && !mapped)) {
        gl_.DeleteBuffers(1, &buffer);
        throw Error(errc::out_of_memory, fmt::format("{} bytes of staging memory, {} in use: {}", capacity, inUse_,
                                                     words.empty() ? "no mapping" : words));
    }
    inUse_ += capacity;
    return std::make_unique<StagingBlock>(shared_from_this(), buffer, capacity, mapped);
}

void Staging::give(const StagingBlock& block) noexcept {
    inUse_ -= block.capacity_;
    if (abandoned_) return;
    if (block.temporary_) {
        gl_.BindBuffer(GL_COPY_READ_BUFFER, block.buffer_);
        gl_.UnmapBuffer(GL_COPY_READ_BUFFER);
        gl_.BindBuffer(GL_COPY_READ_BUFFER, 0);
    }
    kept_.push_front({block.buffer_, block.capacity_, block.temporary_ ? nullptr : block.mapped_});
    idle_ += block.capacity_;
    while (idle_ > cap_) {
        gl_.DeleteBuffers(1, &kept_.back().buffer);
        idle_ -= kept_.back().capacity;
        kept_.pop_back();
    }
}

void Staging::trim() {
    for (const Idle& idle : kept_) gl_.DeleteBuffers(1, &idle.buffer);
    kept_.clear();
    idle_ = 0;
}

void Staging::abandon() noexcept {
    abandoned_ = true;
    kept_.clear();
    idle_ = 0;
}

}  // namespace stile::download
