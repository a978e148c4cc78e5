#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "row.hpp"

namespace bench {

/// Another library's figures.
struct Peer {
    std::string name;
    std::map<std::string, double> milliseconds{};  ///< by row; only what it could do
};
/// Reads {"rows": {name: {"median_ms": …}}}; rows without a figure are left out. Throws what the parser throws.
[[nodiscard]] Peer readPeer(const std::string& name, const std::string& file);

/// One table on standard output, a line at a time; and all of it as JSON.
class Report {
  public:
    Report(std::vector<Peer> peers, std::string renderer, std::size_t nameWidth);

    void add(const Row& row, const Figures& figures);
    void fail(const Row& row, const std::string& why);
    void write(const std::string& file) const;

  private:
    struct Line {
        Row row;
        Figures figures;
    };

    std::vector<Peer> peers_;
    std::string renderer_;
    int width_;
    std::vector<Line> lines_;
};

}  // namespace bench
