#include "options.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace bench {
namespace {

constexpr const char* usage =
    "usage: pipelines [--quick] [--json FILE] [--peer NAME=FILE]… [FILTER]\n"
    "Times whole pipelines, from the first operation to the awaited values, against what the machine can do.\n"
    "  --quick           one short round for each row\n"
    "  --json FILE       writes the figures too\n"
    "  --peer NAME=FILE  figures of the same rows by another library: {\"rows\": {name: {\"median_ms\": …}}}\n"
    "  FILTER            only rows with this text in their names\n";

[[noreturn]] void end(FILE* out, int code) {
    std::fputs(usage, out);
    std::exit(code);
}

}  // namespace

Options parse(int count, char** arguments) {
    Options out;
    const std::vector<std::string> words(arguments + 1, arguments + count);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const auto value = [&] {
            if (++i == words.size()) end(stderr, 2);
            return words[i];
        };
        if (word == "--help" || word == "-h") end(stdout, 0);
        if (word == "--quick") {
            out.quick = true;
        } else if (word == "--first-use") {
            out.firstUse = true;
        } else if (word == "--use-after-warm-up") {
            out.firstUse = out.warmUp = true;
        } else if (word == "--json") {
            out.json = value();
        } else if (word == "--peer") {
            const std::string peer = value();
            const std::size_t at = peer.find('=');
            if (at == std::string::npos) end(stderr, 2);
            out.peers.emplace_back(peer.substr(0, at), peer.substr(at + 1));
        } else if (word.starts_with("-") || !out.filter.empty()) {
            end(stderr, 2);
        } else {
            out.filter = word;
        }
    }
    return out;
}

}  // namespace bench
