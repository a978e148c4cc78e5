#pragma once

#include <asio/any_io_executor.hpp>

#include <cstddef>
#include <cstdint>
#include <map>

#include <stile/device.hpp>

#include "lateness.hpp"
#include "options.hpp"
#include "slots.hpp"
#include "worker.hpp"

namespace server {

/// What has happened since the start, for /health.
struct Counters {
    std::size_t open = 0;                  ///< connections
    std::uint64_t accepted = 0;            ///< connections
    std::uint64_t refused = 0;             ///< connections, because too many were open
    std::uint64_t disconnected = 0;        ///< clients that left while their request was worked on
    std::map<int, std::uint64_t> answers;  ///< by status
    std::size_t buffered = 0;              ///< bytes of bodies, arriving or worked on
};

/// What all connections share. All of it belongs to the loop's thread.
struct Service {
    Service(const asio::any_io_executor& executor, const Options& o, const stile::Device& d)
        : options(o), device(d), slots(executor, o.maxRunning, o.maxWaiting) {}

    const Options& options;
    const stile::Device& device;
    Worker worker;
    Slots slots;
    common::Lateness lateness;
    Counters counters;
    bool stopping = false;
};

}  // namespace server
