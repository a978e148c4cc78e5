#include "gl/buffer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "gl/blocking.hpp"
#include "log/log.hpp"
#include "stile/error.hpp"

namespace stile::gl {

Buffer::~Buffer() { pool_->give(*this); }

GLuint Buffer::texture(const Api& gl, View view) {
    const std::size_t slot = (view.integer ? 2U : 0U) + (view.wide ? 1U : 0U);
    GLuint& texture = names_.textures[slot];
    if (texture == 0) {
        constexpr std::array<GLenum, 4> formats{GL_R32F, GL_RGBA32F, GL_R32I, GL_RGBA32I};
        pool_->errors_.keep();
        gl.GenTextures(1, &texture);
        gl.BindTexture(GL_TEXTURE_BUFFER, texture);
        gl.TexBuffer(GL_TEXTURE_BUFFER, formats[slot], names_.buffer);
        // A texture that sees nothing must not be found here the next time.
        if (const std::string words = takeError(gl); !words.empty()) {
            gl.DeleteTextures(1, &texture);
            texture = 0;
            throw Error(codeOf(words), fmt::format("a texture buffer over {} bytes: {}", names_.capacity, words));
        }
    }
    return texture;
}

BufferLease::BufferLease(std::shared_ptr<Buffer> buffer) : buffer_(std::move(buffer)) { buffer_->pool_->lend(*buffer_); }

BufferLease::~BufferLease() { buffer_->pool_->endLease(*buffer_); }

BufferPool::BufferPool(const Api& gl, const Driver& driver, ErrorLedger& errors, std::size_t idleCap, std::size_t limit)
    : gl_(gl), driver_(driver), errors_(errors), idleCap_(idleCap), limit_(limit), isMapped_(driver.hostVisible) {}

std::size_t BufferPool::sizeClass(std::size_t bytes) noexcept {
    constexpr std::size_t least = 256;
    if (bytes <= least) return least;
    const std::size_t step = std::max<std::size_t>(1, std::bit_floor(bytes - 1) / 4);
    return (bytes + step - 1) / step * step;
}

std::size_t BufferPool::capacityOf(std::size_t bytes) const noexcept {
    // Spare room must not make a buffer too large for a storage block; one that is anyway is seen in parts.
    const auto block = static_cast<std::size_t>(driver_.storageBytes + 15) / 16 * 16;
    return bytes <= block ? std::min(sizeClass(bytes), block) : (bytes + 15) / 16 * 16;
}

std::shared_ptr<Buffer> BufferPool::promise(std::size_t bytes) {
    // Kernels that need mapped memory prepare themselves for what they will get.
    static std::byte nowhere{};
    return std::make_shared<Buffer>(shared_from_this(),
                                    Names{.capacity = capacityOf(bytes), .mapped = isMapped_ ? &nowhere : nullptr});
}

std::shared_ptr<Buffer> BufferPool::take(std::size_t bytes) {
    const std::size_t capacity = capacityOf(bytes);
    {
        const std::lock_guard lock(mutex_);
        const auto found = std::ranges::find(kept_, capacity, &Names::capacity);
        if (found != kept_.end()) {
            const Names names = *found;
            kept_.erase(found);
            idle_ -= capacity;
            return handOut(names);
        }
    }
    collect();
    const auto fits = [&] { return limit_ == 0 || live_ + idle_ + capacity <= limit_; };
    if (!fits()) trim();
    Names names;
    names.capacity = capacity;
    std::string why = "the device's memory limit";
    for (int attempt = 0; attempt < 2 && fits(); ++attempt) {
        why = allocate(names);
        if (why.empty()) {
            ++count_;
            const std::lock_guard lock(mutex_);
            return handOut(names);
        }
        trim();
    }
    throw Error(errc::out_of_memory,
                fmt::format("{} bytes wanted, {} in use, {} pooled, {}: {}", capacity, live_.load(), idle_.load(),
                            limit_ == 0 ? "no limit" : fmt::format("limit {}", limit_), why));
}

/// What GL complained of; empty on success.
std::string BufferPool::allocate(Names& names) {
    errors_.keep();
    const auto size = static_cast<GLsizeiptr>(names.capacity);
    gl_.GenBuffers(1, &names.buffer);
    gl_.BindBuffer(GL_COPY_WRITE_BUFFER, names.buffer);
    names.mapped = nullptr;
    if (isMapped_) {
        constexpr GLbitfield flags = GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
        gl_.BufferStorage(GL_COPY_WRITE_BUFFER, size, nullptr, flags | GL_DYNAMIC_STORAGE_BIT);
        names.mapped = mapForLife(gl_, GL_COPY_WRITE_BUFFER, names.capacity);
    } else {
        gl_.BufferData(GL_COPY_WRITE_BUFFER, size, nullptr, GL_DYNAMIC_COPY);
    }
    gl_.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    std::string words = takeError(gl_);
    const bool unmapped = isMapped_ && !names.mapped;
    if (words.empty() && !unmapped) return words;
    gl_.DeleteBuffers(1, &names.buffer);
    if (!unmapped || codeOf(words) == errc::device_lost || codeOf(words) == errc::out_of_memory) return words;
    log::warn("a buffer of {} bytes could not be mapped ({}); from now on buffers are not", names.capacity,
              words.empty() ? "no reason given" : words);
    isMapped_ = false;
    return allocate(names);
}

void BufferPool::write(const Buffer& buffer, std::span<const std::byte> bytes) {
    if (buffer.mapped()) {
        std::memcpy(buffer.mapped(), bytes.data(), bytes.size());
        return;
    }
    gl_.BindBuffer(GL_COPY_WRITE_BUFFER, buffer.name());
    gl_.BufferSubData(GL_COPY_WRITE_BUFFER, 0, static_cast<GLsizeiptr>(bytes.size()), bytes.data());
    gl_.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

void BufferPool::clear(const Buffer& buffer) {
    constexpr std::size_t piece = std::size_t{1} << 20;
    const std::vector<std::byte> zeros(std::min(buffer.capacity(), piece));
    gl_.BindBuffer(GL_COPY_WRITE_BUFFER, buffer.name());
    for (std::size_t first = 0; first < buffer.capacity(); first += piece) {
        gl_.BufferSubData(GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(first),
                          static_cast<GLsizeiptr>(std::min(piece, buffer.capacity() - first)), zeros.data());
    }
    gl_.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

// With the mutex held.
std::shared_ptr<Buffer> BufferPool::handOut(const Names& names) {
    auto buffer = std::make_shared<Buffer>(shared_from_this(), names);
    out_.insert(buffer.get());
    live_ += names.capacity;
    peak_ = std::max(peak_.load(), live_ + idle_);
    return buffer;
}

void BufferPool::give(const Buffer& buffer) noexcept {
    const Names& names = buffer.names_;
    if (names.buffer == 0) return;  // a promise
    bool wake = false;
    {
        const std::lock_guard lock(mutex_);
        live_ -= names.capacity;
        out_.erase(&buffer);
        if (closed_) return;
        idle_ += names.capacity;
        kept_.push_front(names);
        wake = idle_ > idleCap_ && dropped_.empty();
        while (idle_ > idleCap_) {
            idle_ -= kept_.back().capacity;
            dropped_.push_back(kept_.back());
            kept_.pop_back();
        }
    }
    if (wake && wake_) wake_();
}

void BufferPool::lend(Buffer& buffer) {
    const std::lock_guard lock(mutex_);
    if (buffer.leases_++ == 0) lent_ += buffer.capacity();
}

void BufferPool::endLease(Buffer& buffer) noexcept {
    std::shared_ptr<void> context;  // goes when the mutex is free
    const std::lock_guard lock(mutex_);
    if (--buffer.leases_ > 0) return;
    lent_ -= buffer.capacity();
    if (lent_ == 0) context = std::move(context_);
}

void BufferPool::collect() {
    std::vector<Names> dropped;
    {
        const std::lock_guard lock(mutex_);
        dropped.swap(dropped_);
    }
    for (const Names& names : dropped) destroy(names);
}

void BufferPool::trim() {
    {
        const std::lock_guard lock(mutex_);
        for (const Names& names : kept_) dropped_.push_back(names);
        kept_.clear();
        idle_ = 0;
    }
    collect();
}

void BufferPool::close(bool contextIsLost) {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    lost_ = contextIsLost;
    if (!contextIsLost) {
        for (const Names& names : kept_) destroy(names);
        for (const Names& names : dropped_) destroy(names);
        for (const Buffer* buffer : out_) {
            if (buffer->leases_ == 0) {
                destroy(buffer->names_);
            } else {
                destroyTextures(buffer->names_);
            }
        }
    }
    kept_.clear();
    dropped_.clear();
    out_.clear();
    idle_ = 0;
    count_ = 0;
}

void BufferPool::keepWhileLent(std::shared_ptr<void> context) {
    const std::lock_guard lock(mutex_);
    if (lent_ > 0) context_ = std::move(context);
}

void BufferPool::destroyTextures(const Names& names) {
    for (const GLuint texture : names.textures) {
        if (texture != 0) gl_.DeleteTextures(1, &texture);
    }
}

void BufferPool::destroy(const Names& names) {
    destroyTextures(names);
    gl_.DeleteBuffers(1, &names.buffer);
    --count_;
}

}  // namespace stile::gl
