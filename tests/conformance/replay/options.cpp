#include "options.hpp"

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace replay {
namespace {

struct Variable {
    const char* name;
    const char* value;
};
struct Driver {
    std::string_view name;
    std::vector<Variable> variables;
};

const std::vector<Driver>& drivers() {
    static const std::vector<Driver> all{
        {"llvmpipe", {{"LIBGL_ALWAYS_SOFTWARE", "1"}, {"STILE_API", "gl"}}},
        {"es", {{"LIBGL_ALWAYS_SOFTWARE", "1"}, {"STILE_API", "es"}}},
        {"zink",
         {{"LIBGL_ALWAYS_SOFTWARE", "1"},
          {"MESA_LOADER_DRIVER_OVERRIDE", "zink"},
          {"VK_ICD_FILENAMES", "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"}}},
        {"fake", {}},
    };
    return all;
}

const Driver* find(std::string_view name) {
    for (const Driver& driver : drivers()) {
        if (driver.name == name) return &driver;
    }
    return nullptr;
}

}  // namespace

const char* const usage =
    "replay [--driver NAME] [--kernels] [--json OUT] FILE.jsonl[.gz] ...\n"
    "Makes the calls that the files record and compares what comes back.\n"
    "  --driver NAME  llvmpipe, es, zink, or fake (no driver: the library's plain code computes)\n"
    "  --kernels      the files hold kernels, the layer below: each is replayed as the operation above it, as are\n"
    "                 those among the cases of operations\n"
    "  --json OUT     write the counts of each operation and what failed to a file\n"
    "Exit status: 0 if nothing failed and nothing was unsupported, 1 if something was, 2 for a wrong command line.\n";

Options parseOptions(const std::vector<std::string>& words) {
    Options out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const auto value = [&]() -> const std::string& {
            if (++i == words.size()) throw std::runtime_error(word + " needs a value");
            return words[i];
        };
        if (word == "--driver") {
            out.driver = value();
            if (find(out.driver) == nullptr) throw std::runtime_error("no driver is named '" + out.driver + "'");
        } else if (word == "--kernels") {
            out.kernels = true;
        } else if (word == "--json") {
            out.json = value();
        } else if (word.starts_with("-")) {
            throw std::runtime_error("no option is named '" + word + "'");
        } else {
            out.files.push_back(word);
        }
    }
    if (out.files.empty()) throw std::runtime_error("no files");
    return out;
}

void chooseDriver(const std::string& name) {
    const Driver* driver = find(name);
    if (driver == nullptr) return;
    for (const char* variable : {"STILE_API", "MESA_LOADER_DRIVER_OVERRIDE", "VK_ICD_FILENAMES"}) unsetenv(variable);
    for (const Variable& variable : driver->variables) setenv(variable.name, variable.value, 1);
}

}  // namespace replay
