#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <stile/export.hpp>
#include <stile/tensor.hpp>

namespace stile STILE_EXPORT {
namespace string {

// Operations on strings. Strings stay on the host, so that these are computed when they are called, and results whose shape depends
// on the strings need not be awaited. A string is bytes; that they are UTF-8 matters to regular expressions only. All throw Error
// `wrong_dtype` for what is not a string.

/// What stands between and beside the tokens of an n-gram.
struct NGramOptions {
    std::string separator = " ";
    std::string leftPad = "";
    std::string rightPad = "";
    /// How many pads stand on each side of a sequence, at most n - 1; -1 stands for just these.
    std::int64_t padWidth = 0;
    /// A sequence that is too short for any n-gram becomes one n-gram with all its tokens and pads.
    bool preserveShortSequences = false;
};

/// N-grams of sequences: those of sequence i stand from nGramsSplits[i] to nGramsSplits[i + 1].
struct NGrams {
    Tensor nGrams;        ///< string [m]
    Tensor nGramsSplits;  ///< int32, as many as the splits of the data
};

/// All runs of n neighbouring tokens of each sequence, for each n of `nGramWidths` in turn. Sequence i is data (string [tokens]) from
/// dataSplits[i] to dataSplits[i + 1]; the splits are int32, from 0 to the number of tokens, and have to be known on the CPU.
/// TensorFlow's StringNGrams.
/// \throws Error `invalid_argument` for widths below 1 and splits that do not fit or are computed by a device.
[[nodiscard]] NGrams stringNGrams(const Tensor& data, const Tensor& dataSplits, const std::vector<std::int64_t>& nGramWidths,
                                  const NGramOptions& options = {});

/// A sparse matrix of strings.
struct Split {
    Tensor indices;  ///< int32 [m, 2]: row and column
    Tensor values;   ///< string [m]
    Tensor shape;    ///< int32 [2]: rows, the most columns
};

/// Cuts each string of a list where any byte of the delimiter stands, or between all bytes if it is empty. An empty string has no
/// parts; `skipEmpty` leaves out empty parts of others. TensorFlow's StringSplit. \throws Error `invalid_argument` for other than a list.
[[nodiscard]] Split stringSplit(const Tensor& input, const std::string& delimiter, bool skipEmpty = true);

/// A number from 0 to numBuckets - 1 for each string, int32: FarmHash's Fingerprint64, which never changes, modulo numBuckets. Not for
/// keeping out those who choose their strings. TensorFlow's StringToHashBucketFast. \throws Error `invalid_argument` unless numBuckets is
/// 1 … 2^31.
[[nodiscard]] Tensor stringToHashBucketFast(const Tensor& input, std::int64_t numBuckets);

/// Replaces what matches a regular expression: everywhere, or at the first place only. The grammar is ECMAScript's (JavaScript's),
/// as PCRE2 has it: `\d`, `\w`, `\s` and `\b` mean ASCII, `.` and classes match a whole character of UTF-8, bytes that are no UTF-8 match
/// nothing and stay. In `rewrite` `$1` … `$99` are what the groups have matched, `$<name>` a named one, `$&` all, `` $` `` and `$'`
/// what stands before and behind, `$$` a dollar. TensorFlow's StaticRegexReplace has the grammar of RE2 and `\1`.
/// \throws Error `invalid_argument` for a pattern that is none, and one that takes too long to match.
[[nodiscard]] Tensor staticRegexReplace(const Tensor& input, const std::string& pattern, const std::string& rewrite,
                                        bool replaceGlobal = true);

}  // namespace string
}  // namespace stile
