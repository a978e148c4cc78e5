#pragma once

#include <exception>
#include <string>
#include <system_error>

namespace test {

/// The code of what an operation completed with; none on success.
inline std::error_code codeOf(const std::exception_ptr& error) {
    try {
        if (error) std::rethrow_exception(error);
    } catch (const std::system_error& e) {
        return e.code();
    }
    return {};
}

/// What it says; nothing on success.
inline std::string wordsOf(const std::exception_ptr& error) {
    try {
        if (error) std::rethrow_exception(error);
    } catch (const std::exception& e) {
        return e.what();
    }
    return {};
}

/// The code of what a call throws; none if it does not.
template <class Call>
std::error_code thrown(Call call) {
    try {
        call();
    } catch (const std::system_error& e) {
        return e.code();
    }
    return {};
}

}  // namespace test
