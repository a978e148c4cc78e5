#include "host/regex.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <cstdint>
#include <new>
#include <optional>

#include "stile/error.hpp"

namespace stile::host {
namespace {

PCRE2_SPTR unitsOf(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

std::string messageOf(int error) {
    std::array<PCRE2_UCHAR, 256> message{};
    pcre2_get_error_message(error, message.data(), message.size());
    return reinterpret_cast<const char*>(message.data());
}

struct FreeContext {
    void operator()(pcre2_compile_context* context) const noexcept { pcre2_compile_context_free(context); }
};
struct FreeMatch {
    void operator()(pcre2_match_data* data) const noexcept { pcre2_match_data_free(data); }
};

/// Whether this byte goes on a character of UTF-8.
bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

std::optional<unsigned> digit(std::string_view text, std::size_t at) {
    if (at >= text.size() || text[at] < '0' || text[at] > '9') return std::nullopt;
    return static_cast<unsigned>(text[at] - '0');
}

}  // namespace

/// Where the groups of a match are; group 0 is all of it.
struct Regex::Match {
    explicit Match(const pcre2_code* code) : data(pcre2_match_data_create_from_pattern(code, nullptr)) {
        if (!data) throw std::bad_alloc();
    }

    [[nodiscard]] std::size_t groups() const { return pcre2_get_ovector_count(data.get()); }
    [[nodiscard]] std::size_t begin(std::size_t group = 0) const { return pcre2_get_ovector_pointer(data.get())[2 * group]; }
    [[nodiscard]] std::size_t end(std::size_t group = 0) const { return pcre2_get_ovector_pointer(data.get())[2 * group + 1]; }
    /// Nothing for a group that has taken no part.
    [[nodiscard]] std::string_view operator()(std::string_view text, std::size_t group) const {
        return begin(group) == PCRE2_UNSET ? std::string_view() : text.substr(begin(group), end(group) - begin(group));
    }

    std::unique_ptr<pcre2_match_data, FreeMatch> data;
};

void Regex::FreeCode::operator()(pcre2_real_code_8* code) const noexcept { pcre2_code_free(code); }

Regex::Regex(const std::string& pattern) {
    const std::unique_ptr<pcre2_compile_context, FreeContext> context(pcre2_compile_context_create(nullptr));
    if (!context) throw std::bad_alloc();
    pcre2_set_newline(context.get(), PCRE2_NEWLINE_ANYCRLF);  // what `.` stops at
    pcre2_set_compile_extra_options(context.get(), PCRE2_EXTRA_ALT_BSUX);
    // These are the differences between Perl's grammar and ECMAScript's that PCRE2 knows.
    constexpr std::uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_ALT_BSUX | PCRE2_ALLOW_EMPTY_CLASS |
                                      PCRE2_MATCH_UNSET_BACKREF | PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C;
    int error = 0;
    PCRE2_SIZE offset = 0;
    code_.reset(pcre2_compile(unitsOf(pattern), pattern.size(), options, &error, &offset, context.get()));
    if (!code_) {
        throw Error(errc::invalid_argument,
                    "pattern '" + pattern + "', at " + std::to_string(offset) + ": " + messageOf(error));
    }
}

bool Regex::find(std::string_view text, std::size_t start, Match& match) const {
    const int found = pcre2_match(code_.get(), unitsOf(text), text.size(), start, 0, match.data.get(), nullptr);
    if (found == PCRE2_ERROR_NOMATCH) return false;
    if (found < 0)
        throw Error(errc::invalid_argument, "a string of " + std::to_string(text.size()) + " bytes: " + messageOf(found));
    return true;
}

void Regex::rewriteTo(std::string& out, std::string_view text, std::string_view rewrite, const Match& match) const {
    for (std::size_t at = 0; at < rewrite.size(); ++at) {
        const char next = rewrite[at] == '$' && at + 1 < rewrite.size() ? rewrite[at + 1] : '\0';
        switch (next) {
            case '$': out += '$', ++at; continue;
            case '&': out += match(text, 0), ++at; continue;
            case '`': out += text.substr(0, match.begin()), ++at; continue;
            case '\'': out += text.substr(match.end()), ++at; continue;
            default: break;
        }
        if (const auto tens = digit(rewrite, at + 1); next != '\0' && tens) {
            // Two digits if there is such a group, else one; what names no group stays as it is.
            const auto ones = digit(rewrite, at + 2);
            const std::size_t both = ones ? *tens * 10U + *ones : 0;
            const std::size_t group = both > 0 && both < match.groups() ? both : *tens;
            if (group > 0 && group < match.groups()) {
                out += match(text, group);
                at += group == both && ones ? 2 : 1;
                continue;
            }
        }
        if (const std::size_t close = rewrite.find('>', at); next == '<' && close != std::string_view::npos) {
            const std::string name(rewrite.substr(at + 2, close - at - 2));
            const int group = pcre2_substring_number_from_name(code_.get(), unitsOf(name));
            if (group > 0) {
                out += match(text, static_cast<std::size_t>(group));
                at = close;
                continue;
            }
        }
        out += rewrite[at];
    }
}

std::string Regex::replace(std::string_view text, std::string_view rewrite, bool everywhere) const {
    Match match(code_.get());
    std::string out;
    std::size_t start = 0, copied = 0;
    while (start <= text.size() && find(text, start, match)) {
        out += text.substr(copied, match.begin() - copied);
        rewriteTo(out, text, rewrite, match);
        copied = match.end();
        start = copied;
        // After a match of nothing the search goes on behind the next character.
        if (match.begin() == match.end()) {
            do ++start;
            while (start < text.size() && continues(text[start]));
        }
        if (!everywhere) break;
    }
    return out += text.substr(copied);
}

}  // namespace stile::host
