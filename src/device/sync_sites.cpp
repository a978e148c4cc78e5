#include "device/sync_sites.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "log/log.hpp"
#include "stile/sync.hpp"

namespace stile {
namespace {

struct Sites {
    std::mutex mutex;
    std::map<std::pair<std::string, unsigned>, SyncSite> byPlace;
};

// Never destroyed: a static's destructor may still block.
Sites& sites() {
    static auto* instance = std::make_unique<Sites>().release();
    return *instance;
}

void summarize() noexcept {
    try {
        const std::vector<SyncSite> all = syncSites();
        if (std::ranges::none_of(all, [](const SyncSite& site) { return site.blocks > 1; })) return;
        std::string text = "blocking downloads, the longest total first:";
        for (const SyncSite& site : all) {
            text += fmt::format("\n    {}:{}: {} blocked {} time{}, {:.1f} ms in all", site.file, site.line, site.call,
                                site.blocks, site.blocks == 1 ? "" : "s", site.totalMs);
        }
        log::warnAtExit(text);
    } catch (...) {
        return;  // there is nobody left to tell
    }
}

}  // namespace

std::vector<SyncSite> syncSites() {
    std::vector<SyncSite> out;
    {
        const std::lock_guard lock(sites().mutex);
        for (const auto& [place, site] : sites().byPlace) out.push_back(site);
    }
    std::ranges::stable_sort(out, std::greater{}, &SyncSite::totalMs);
    return out;
}

void detail::warnBlocked(const char* call, std::source_location where, std::chrono::steady_clock::duration blocked,
                         std::optional<std::int64_t> ready) {
    const double milliseconds = std::chrono::duration<double, std::milli>(blocked).count();
    {
        const std::lock_guard lock(sites().mutex);
        static const int atExit = std::atexit(summarize);
        (void)atExit;
        SyncSite& site = sites().byPlace[{where.file_name(), where.line()}];
        site.totalMs += milliseconds;
        if (site.blocks++ > 0) return;
        site.file = where.file_name();
        site.line = where.line();
        site.call = call;
    }
    const std::string meanwhile =
        ready ? fmt::format("; {} download{} of its loop had completed meanwhile", *ready, *ready == 1 ? "" : "s") : "";
    const std::string_view twin = std::string_view(call).substr(0, std::string_view(call).size() - 4);
    log::warn("{}:{}: {} blocked this thread for {:.1f} ms{}; write `co_await t.{}()` to keep the loop running",
              where.file_name(), where.line(), call, milliseconds, meanwhile, twin);
}

}  // namespace stile
