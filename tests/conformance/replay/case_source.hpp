#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct gzFile_s;

namespace replay {

/// One line of one of the files.
struct Line {
    std::string file;
    std::size_t number = 0;
    std::string text;
};

/// The lines of several files, compressed by gzip or plain, one after the other: no more than one line is in memory.
class CaseSource {
  public:
    explicit CaseSource(std::vector<std::string> files) : files_(std::move(files)) {}

    /// The next line that is not blank; nothing at the end. \throws std::runtime_error for a file that cannot be read.
    [[nodiscard]] std::optional<Line> next();

  private:
    struct Close {
        void operator()(gzFile_s* file) const;
    };

    void open(const std::string& file);
    /// The next line of the open file.
    [[nodiscard]] bool read(std::string& line);

    std::vector<std::string> files_;
    std::size_t nextFile_ = 0;
    std::string name_;
    std::size_t line_ = 0;
    std::unique_ptr<gzFile_s, Close> file_;
};

}  // namespace replay
