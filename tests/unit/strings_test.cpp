#define BOOST_TEST_MODULE strings
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <stile/create.hpp>
#include <stile/error.hpp>
#include <stile/ops.hpp>
#include <stile/tensor.hpp>

// Strings and what is computed from them are on the host: nothing here needs a device.

using stile::DType;
using stile::errc;
using stile::Shape;
using stile::Tensor;
using Ints = std::vector<std::int32_t>;
using Strings = std::vector<std::string>;
namespace string = stile::string;

namespace {

Strings strings(const Tensor& x) { return x.dataSync<std::string>(); }
Ints ints(const Tensor& x) { return x.dataSync<std::int32_t>(); }
Tensor splits(Ints values) { return stile::tensor(std::move(values)); }

std::string replaced(const std::string& text, const std::string& pattern, const std::string& rewrite, bool global = true) {
    return strings(string::staticRegexReplace(stile::scalar(text), pattern, rewrite, global)).front();
}

/// What a call says when it fails: its code and its words.
template <class F>
std::string failure(F call, errc code = errc::invalid_argument) {
    try {
        call();
    } catch (const stile::Error& e) {
        BOOST_TEST(e.code() == code);
        return e.what();
    }
    return "nothing was thrown";
}

bool tells(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(n_grams_of_each_width_in_turn) {
    const Tensor letters = stile::tensor({"a", "b", "c", "d", "e", "f"});
    const auto plain = string::stringNGrams(letters, splits({0, 4, 6}), {2, 3}, {.separator = "|"});
    BOOST_TEST(strings(plain.nGrams) == (Strings{"a|b", "b|c", "c|d", "a|b|c", "b|c|d", "e|f"}));
    BOOST_TEST(ints(plain.nGramsSplits) == (Ints{0, 5, 6}));
    BOOST_TEST(strings(string::stringNGrams(letters, splits({0, 6}), {5}).nGrams) == (Strings{"a b c d e", "b c d e f"}));
    BOOST_TEST(strings(string::stringNGrams(letters, splits({0, 6}), {}).nGrams) == Strings{});
}

BOOST_AUTO_TEST_CASE(n_grams_with_pads) {
    const auto grams = [](const Tensor& data, Ints ends, std::int64_t width, std::int64_t pads, bool preserve = false) {
        return string::stringNGrams(
            data, splits(std::move(ends)), {width},
            {.separator = "|", .leftPad = "L", .rightPad = "R", .padWidth = pads, .preserveShortSequences = preserve});
    };
    const Tensor three = stile::tensor({"a", "b", "c"});
    BOOST_TEST(strings(grams(three, {0, 3}, 2, -1).nGrams) == (Strings{"L|a", "a|b", "b|c", "c|R"}));
    BOOST_TEST(strings(grams(three, {0, 3}, 3, 1).nGrams) == (Strings{"L|a|b", "a|b|c", "b|c|R"}));
    BOOST_TEST(strings(grams(three, {0, 1, 3}, 5, 1).nGrams) == (Strings{}));
    BOOST_TEST(strings(grams(three, {0, 1, 3}, 5, 1, true).nGrams) == (Strings{"L|a|R", "L|b|c|R"}));
    // More pads on both sides than tokens; an empty sequence has pads only, if it fits between them.
    BOOST_TEST(strings(grams(stile::tensor({"a"}), {0, 0, 1}, 3, -1).nGrams) ==
               (Strings{"L|L|R", "L|R|R", "L|L|a", "L|a|R", "a|R|R"}));
    BOOST_TEST(ints(grams(three, {0, 3, 3}, 4, 0, true).nGramsSplits) == (Ints{0, 1, 1}));
}

BOOST_AUTO_TEST_CASE(n_grams_of_nothing_and_of_what_does_not_fit) {
    const Tensor none = stile::tensor(Strings{}), one = stile::tensor({"a"});
    const auto empty = string::stringNGrams(none, splits({0, 0, 0}), {1}, {.leftPad = "L", .padWidth = 3});
    BOOST_TEST((empty.nGrams.shape() == Shape(0) && ints(empty.nGramsSplits) == Ints{0, 0, 0}));
    BOOST_TEST(string::stringNGrams(none, splits({}), {1}).nGramsSplits.shape() == Shape(0));
    BOOST_TEST(string::stringNGrams(none, stile::zeros({2}, DType::int32), {1}).nGramsSplits.shape() == Shape(2));
    for (const Ints& wrong : {Ints{1, 1, 1}, Ints{0, 1, 0}, Ints{0, 0}, Ints{0, 2, 1}, Ints{}}) {
        BOOST_TEST(tells(failure([&] { (void)string::stringNGrams(one, splits(wrong), {3}); }), "stringNGrams"));
    }
    BOOST_TEST(tells(failure([&] { (void)string::stringNGrams(one, splits({0, 1}), {1, 0}); }), "width 0 in [1, 0]"));
    BOOST_TEST(tells(failure([&] { (void)string::stringNGrams(one, splits({0, 1}) + 0, {1}); }), "not on the host"));
    BOOST_TEST(
        tells(failure([&] { (void)string::stringNGrams(stile::zeros({1}), splits({0, 1}), {1}); }, errc::wrong_dtype), "data"));
}

BOOST_AUTO_TEST_CASE(strings_are_cut) {
    const auto words = string::stringSplit(stile::tensor({"a b", "", " c  d"}), " ");
    BOOST_TEST(strings(words.values) == (Strings{"a", "b", "c", "d"}));
    BOOST_TEST(ints(words.indices) == (Ints{0, 0, 0, 1, 2, 0, 2, 1}));
    BOOST_TEST(ints(words.shape) == (Ints{3, 2}));
    const auto all = string::stringSplit(stile::tensor({"a,b;", "", ";"}), ";,", false);
    BOOST_TEST(strings(all.values) == (Strings{"a", "b", "", "", ""}));
    BOOST_TEST(ints(all.shape) == (Ints{3, 3}));
    BOOST_TEST(strings(string::stringSplit(stile::tensor({"hi", "x"}), "").values) == (Strings{"h", "i", "x"}));
    const auto none = string::stringSplit(stile::tensor(Strings{}), " ");
    BOOST_TEST((none.indices.shape() == Shape(0, 2) && ints(none.shape) == Ints{0, 0}));
    BOOST_TEST(tells(failure([] { (void)string::stringSplit(stile::scalar("a"), " "); }), "stringSplit"));
}

BOOST_AUTO_TEST_CASE(buckets_are_fingerprints) {
    const Tensor letters = stile::tensor({{"a", "b"}, {"c", "d"}});
    const Tensor buckets = string::stringToHashBucketFast(letters, 10);
    BOOST_TEST(buckets.shape() == Shape(2, 2));
    BOOST_TEST(ints(buckets) == (Ints{9, 2, 2, 5}));
    // 11160318154034397263 is the fingerprint of the empty string.
    BOOST_TEST(ints(string::stringToHashBucketFast(stile::scalar(""), std::int64_t{1} << 31)) ==
               (Ints{static_cast<std::int32_t>(11160318154034397263ULL % (1ULL << 31U))}));
    for (const std::int64_t wrong : {std::int64_t{0}, std::int64_t{-3}, (std::int64_t{1} << 31) + 1}) {
        BOOST_TEST(tells(failure([&] { (void)string::stringToHashBucketFast(letters, wrong); }), "numBuckets"));
    }
}

BOOST_AUTO_TEST_CASE(expressions_are_replaced) {
    BOOST_TEST(strings(string::staticRegexReplace(stile::tensor({"this", "is  a", ""}), " +", " ")) ==
               (Strings{"this", "is a", ""}));
    BOOST_TEST(replaced("test test", "test", "result", false) == "result test");
    BOOST_TEST(replaced("abc", "x*", "-") == "-a-b-c-");
    BOOST_TEST(replaced("baac", "a*", "-") == "-b--c-");
    BOOST_TEST(replaced("größe", "", "-") == "-g-r-ö-ß-e-");
    BOOST_TEST(replaced("größe", "^.{3}", "x") == "xße");
    BOOST_TEST(replaced("2026-11-29", "(\\d+)-(\\d+)-(\\d+)", "$3.$2.$1") == "29.11.2026");
    BOOST_TEST(replaced("ab", "(?<first>.)(.)?", "$<first>$2$$1$&$3$10") == "ab$1ab$3a0");
    BOOST_TEST(replaced("abc", "b", "[$`|$']") == "a[a|c]c");
    BOOST_TEST(replaced("aab", "(a)\\1", "$") == "$b");
    BOOST_TEST(replaced("ab ac", "a(?=c)", "x") == "ab xc");
    BOOST_TEST(replaced("a\nb", "a$", "x") == "a\nb");
    BOOST_TEST(replaced("AÄ", "\\u0041|\\u{C4}", "x") == "xx");
    // Bytes that are no UTF-8 stay; a string of any length ends well.
    BOOST_TEST(replaced("\xFF"
                        "a\xFF",
                        "a|.", "x") ==
               "\xFF"
               "x\xFF");
    BOOST_TEST(replaced(std::string(1'000'000, 'a'), "(a|b)+$", "x") == "x");
}

BOOST_AUTO_TEST_CASE(patterns_that_are_none) {
    BOOST_TEST(tells(failure([] { (void)replaced("a", "a(", "b"); }), "staticRegexReplace: pattern 'a(', at 2"));
    const std::string slow(40, 'a');
    BOOST_TEST(tells(failure([&] { (void)replaced(slow + "!", "^(a|a)*$", ""); }), "match limit"));
    BOOST_TEST(
        tells(failure([] { (void)string::staticRegexReplace(stile::zeros({1}), "a", "b"); }, errc::wrong_dtype), "input"));
}
