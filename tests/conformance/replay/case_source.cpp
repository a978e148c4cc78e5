#include "case_source.hpp"

#include <zlib.h>

#include <array>
#include <filesystem>
#include <stdexcept>

namespace replay {

void CaseSource::Close::operator()(gzFile_s* file) const { gzclose_r(file); }

void CaseSource::open(const std::string& file) {
    name_ = std::filesystem::path(file).filename().string();
    line_ = 0;
    // gzopen takes a directory for an empty file.
    if (!std::filesystem::is_directory(file)) file_.reset(gzopen(file.c_str(), "rb"));
    if (!file_) throw std::runtime_error("cannot read " + file);
    gzbuffer(file_.get(), 1 << 18);
}

bool CaseSource::read(std::string& line) {
    line.clear();
    std::array<char, 1 << 14> part;
    while (gzgets(file_.get(), part.data(), static_cast<int>(part.size())) != nullptr) {
        line += part.data();
        if (line.ends_with('\n')) return true;
    }
    // Z_BUF_ERROR is a file that ends in the middle of its compressed data.
    int code = Z_OK;
    const char* text = gzerror(file_.get(), &code);
    if (code != Z_OK && code != Z_STREAM_END) throw std::runtime_error("cannot read " + name_ + ": " + text);
    return !line.empty();
}

std::optional<Line> CaseSource::next() {
    std::string text;
    while (true) {
        if (!file_) {
            if (nextFile_ == files_.size()) return {};
            open(files_[nextFile_++]);
        }
        if (!read(text)) {
            file_.reset();
            continue;
        }
        ++line_;
        if (text.find_first_not_of(" \t\r\n") != std::string::npos) return Line{name_, line_, std::move(text)};
    }
}

}  // namespace replay
