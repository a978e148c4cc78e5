#define BOOST_TEST_MODULE error
#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

#include <stile/error.hpp>

BOOST_AUTO_TEST_CASE(every_code_has_a_meaning_of_its_own) {
    std::set<std::string> meanings;
    for (int code = 1; code <= static_cast<int>(stile::errc::stream_closed); ++code) {
        meanings.insert(stile::category().message(code));
    }
    BOOST_TEST(meanings.size() == static_cast<std::size_t>(stile::errc::stream_closed));
    BOOST_TEST(!meanings.contains("unknown"));
    BOOST_TEST(stile::category().message(0) == "unknown");
}

BOOST_AUTO_TEST_CASE(codes_compare_as_standard_error_codes) {
    const stile::Error error(stile::errc::timed_out, "matMul");
    BOOST_CHECK(error.code() == stile::errc::timed_out);
    BOOST_CHECK(error.code() != stile::errc::device_lost);
    BOOST_TEST(error.code().category().name() == std::string("stile"));
    BOOST_TEST(error.what() == std::string("matMul: the deadline passed"));
}
