#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct pcre2_real_code_8;

namespace stile::host {

/// A regular expression with ECMAScript's grammar.
class Regex {
  public:
    /// \throws Error `invalid_argument` that says where the pattern is wrong.
    explicit Regex(const std::string& pattern);

    /// `text` with `rewrite` in place of each match, or of the first. \throws Error `invalid_argument` if matching takes too long.
    [[nodiscard]] std::string replace(std::string_view text, std::string_view rewrite, bool everywhere) const;

  private:
    struct Match;

    [[nodiscard]] bool find(std::string_view text, std::size_t start, Match& match) const;
    void rewriteTo(std::string& out, std::string_view text, std::string_view rewrite, const Match& match) const;

    struct FreeCode {
        void operator()(pcre2_real_code_8* code) const noexcept;
    };
    std::unique_ptr<pcre2_real_code_8, FreeCode> code_;
};

}  // namespace stile::host
