#include "tensor/home.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

namespace stile::detail {
namespace {

struct Offered {
    std::mutex mutex;
    std::vector<std::weak_ptr<Home>> homes;
};

// Never destroyed: a device that is a global may outlive this file's statics.
Offered& offered() {
    static auto* instance = std::make_unique<Offered>().release();
    return *instance;
}

}  // namespace

HomePtr defaultHome() {
    Offered& o = offered();
    const std::lock_guard lock(o.mutex);
    for (const auto& weak : o.homes) {
        if (HomePtr home = weak.lock()) return home;
    }
    return nullptr;
}

void offerDefaultHome(const HomePtr& home) {
    Offered& o = offered();
    const std::lock_guard lock(o.mutex);
    o.homes.push_back(home);
}

void withdrawDefaultHome(const Home* home) {
    Offered& o = offered();
    const std::lock_guard lock(o.mutex);
    std::erase_if(o.homes, [home](const std::weak_ptr<Home>& weak) {
        const HomePtr held = weak.lock();
        return !held || held.get() == home;
    });
}

}  // namespace stile::detail
