#include <array>
#include <span>
#include <string>
#include <vector>

#include <stile/ops/strings.hpp>

#include "table.hpp"

namespace replay {
namespace {

using stile::DType;
using Members = Results::Members;
namespace string = stile::string;

/// data, dataSplits, separator, nGramWidths, leftPad, rightPad, padWidth, preserveShortSequences.
Results stringNGrams(const Arguments& a) {
    const string::NGrams grams = string::stringNGrams(a[0].tensor(DType::string), a[1].tensor(DType::int32), a[3].integers(),
                                                      {.separator = a[2].text(),
                                                       .leftPad = a[4].text(),
                                                       .rightPad = a[5].text(),
                                                       .padWidth = a[6].integer(),
                                                       .preserveShortSequences = a[7].flag()});
    return Members{{"nGrams", grams.nGrams}, {"nGramsSplits", grams.nGramsSplits}};
}

/// input, delimiter (a string or a tensor), skipEmpty.
Results stringSplit(const Arguments& a) {
    const std::vector<std::string> delimiters = a[1].isText() ? std::vector{a[1].text()} : a[1].texts();
    if (delimiters.size() != 1) a[1].mismatch("no scalar");
    const string::Split split = string::stringSplit(a[0].tensor(DType::string), delimiters[0], a[2].flag(true));
    return Members{{"indices", split.indices}, {"values", split.values}, {"shape", split.shape}};
}

/// input, pattern, rewrite, replaceGlobal.
Results staticRegexReplace(const Arguments& a) {
    return string::staticRegexReplace(a[0].tensor(DType::string), a[1].text(), a[2].text(), a[3].flag(true));
}

const std::array rows{
    Row{"string.stringNGrams", stringNGrams},
    Row{"string.stringSplit", stringSplit},
    Row{"string.stringToHashBucketFast",
        [](const Arguments& a) -> Results { return string::stringToHashBucketFast(a[0].tensor(), a[1].integer()); }},
    Row{"string.staticRegexReplace", staticRegexReplace},
};

}  // namespace

std::span<const Row> stringRows() { return rows; }

}  // namespace replay
