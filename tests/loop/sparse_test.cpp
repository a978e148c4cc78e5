#define BOOST_TEST_MODULE sparse
#include <boost/test/unit_test.hpp>

#include <asio.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <stile/stile.hpp>

#include "rig.hpp"

// Chosen boxes, sparse and ragged tensors: what depends on values is awaited.

using stile::DType;
using stile::errc;
using stile::RowPartition;
using stile::Shape;
using stile::Tensor;
using test::Rig;
using test::thrown;
using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;
using Strings = std::vector<std::string>;
namespace image = stile::image;
namespace sparse = stile::sparse;

namespace {

constexpr auto firstDimSize = stile::RowPartitionType::firstDimSize;
constexpr auto valueRowIds = stile::RowPartitionType::valueRowIds;
constexpr auto rowSplits = stile::RowPartitionType::rowSplits;

/// Computed by a kernel, so that there is something to download.
Tensor floats(Floats values, const Shape& shape) { return stile::tensor(std::move(values), shape) + 0.0F; }
Tensor floats(Floats values) { return stile::tensor(std::move(values)) + 0.0F; }
Tensor ints(Ints values, const Shape& shape) { return stile::tensor(std::move(values), shape) + 0; }
Tensor ints(Ints values) { return stile::tensor(std::move(values)) + 0; }
Tensor number(std::int32_t value) { return Tensor(value) + 0; }

struct Failure {
    std::error_code code{};
    std::string words{};
};

/// A loop and a device, and what is asked of results.
struct Reader : Rig {
    Floats floatsOf(const Tensor& x) { return get(x.data<float>()); }
    Ints intsOf(const Tensor& x) { return get(x.data<std::int32_t>()); }
    std::vector<bool> boolsOf(const Tensor& x) { return get(x.data<bool>()); }

    /// What an operation completes with: invalid_argument, in these words.
    template <class T>
    void expectFails(asio::awaitable<T> operation, const std::vector<std::string>& parts) {
        Failure failure;
        try {
            (void)get(std::move(operation));
        } catch (const stile::Error& e) {
            failure = {e.code(), e.what()};
        }
        BOOST_TEST(failure.code == errc::invalid_argument);
        for (const std::string& part : parts) {
            BOOST_TEST(failure.words.find(part) != std::string::npos, "'" << failure.words << "' tells of " << part);
        }
    }
};

/// Three clusters; the second box and the third overlap the first by 0.9 / 1.1.
Tensor boxes() {
    return floats({0, 0, 1, 1, 0, 0.1F, 1, 1.1F, 0, -0.1F, 1, 0.9F, 0, 10, 1, 11, 0, 10.1F, 1, 11.1F, 0, 100, 1, 101}, {6, 4});
}
Tensor scores() { return floats({0.9F, 0.75F, 0.6F, 0.95F, 0.5F, 0.3F}); }

}  // namespace

BOOST_AUTO_TEST_CASE(the_best_box_of_each_cluster) {
    Reader rig;
    BOOST_TEST((rig.intsOf(rig.get(image::nonMaxSuppressionAsync(boxes(), scores(), 10))) == Ints{3, 0, 5}));
    BOOST_TEST((rig.intsOf(rig.get(image::nonMaxSuppressionAsync(boxes(), scores(), 2))) == Ints{3, 0}));
    BOOST_TEST(
        (rig.intsOf(rig.get(image::nonMaxSuppressionAsync(boxes(), scores(), 10, {.scoreThreshold = 0.9F}))) == Ints{3}));
    BOOST_TEST((rig.intsOf(rig.get(image::nonMaxSuppressionAsync(boxes(), scores(), 10, {.iouThreshold = 1}))) ==
                Ints{3, 0, 1, 2, 4, 5}));
    BOOST_TEST(rig.get(image::nonMaxSuppressionAsync(boxes(), scores(), 0)).shape() == Shape(0));
    BOOST_TEST(rig.get(image::nonMaxSuppressionAsync(stile::zeros({0, 4}), stile::zeros({0}), 3)).shape() == Shape(0));
    // Any two opposite corners; an overlap of just the threshold; of equal scores the first.
    const Tensor turned = floats({1, 1, 0, 0, 0, 0, 1, 0.5F, 0, 2, 1, 2}, {3, 4});
    BOOST_TEST((rig.intsOf(rig.get(image::nonMaxSuppressionAsync(turned, floats({1, 1, 1}), 3))) == Ints{0, 1, 2}));
    BOOST_TEST(
        (rig.intsOf(rig.get(image::nonMaxSuppressionAsync(turned, floats({1, 2, NAN}), 3, {.iouThreshold = 0.4}))) == Ints{1}));
}

BOOST_AUTO_TEST_CASE(overlaps_lower_scores) {
    Reader rig;
    const auto [indices, lowered] = rig.get(image::nonMaxSuppressionWithScoreAsync(
        boxes(), scores(), 6, {.iouThreshold = 0.5, .scoreThreshold = 0, .softNmsSigma = 0.5}));
    BOOST_TEST((rig.intsOf(indices) == Ints{3, 0, 1, 5, 4, 2}));
    const double overlap = 0.9 / 1.1, far = 0.8 / 1.2;
    const std::vector<double> expected{0.95,
                                       0.9,
                                       0.75 * std::exp(-overlap * overlap),
                                       0.3,
                                       0.5 * std::exp(-overlap * overlap),
                                       0.6 * std::exp(-overlap * overlap) * std::exp(-far * far)};
    const Floats values = rig.floatsOf(lowered);
    BOOST_TEST_REQUIRE(values.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) BOOST_TEST(values[i] == expected[i], boost::test_tools::tolerance(1e-5));
    const auto hard = rig.get(image::nonMaxSuppressionWithScoreAsync(boxes(), scores(), 6));
    BOOST_TEST((rig.floatsOf(hard.selectedScores) == Floats{0.95F, 0.9F, 0.3F}));
    // Boxes that are no numbers overlap nothing.
    const Tensor strange = floats({0, 0, NAN, 1, 0, 0, INFINITY, 1, 0, 0, INFINITY, 1}, {3, 4});
    const auto all = rig.get(image::nonMaxSuppressionWithScoreAsync(strange, floats({3, 2, 1}), 3, {.softNmsSigma = 1}));
    BOOST_TEST((rig.intsOf(all.selectedIndices) == Ints{0, 1, 2}));
}

BOOST_AUTO_TEST_CASE(padding_gives_a_fixed_length) {
    Reader rig;
    const auto [indices, valid] =
        rig.get(image::nonMaxSuppressionPaddedAsync(boxes(), scores(), 8, {.padToMaxOutputSize = true}));
    BOOST_TEST((rig.intsOf(indices) == Ints{3, 0, 5, 0, 0, 0, 0, 0}));
    BOOST_TEST((valid.shape() == Shape() && rig.intsOf(valid) == Ints{3}));
    BOOST_TEST(rig.get(image::nonMaxSuppressionPaddedAsync(boxes(), scores(), 8)).selectedIndices.shape() == Shape(3));
}

BOOST_AUTO_TEST_CASE(boxes_that_do_not_fit) {
    const auto of = [](const Tensor& b, const Tensor& s, std::int64_t most, const image::SoftSuppressionOptions& options = {}) {
        return thrown([&] { (void)image::nonMaxSuppressionWithScoreAsync(b, s, most, options); });
    };
    BOOST_TEST(of(stile::zeros({6, 4}), stile::zeros({5}), 3) == errc::invalid_argument);
    BOOST_TEST(of(stile::zeros({6, 3}), stile::zeros({6}), 3) == errc::invalid_argument);
    BOOST_TEST(of(stile::zeros({4}), stile::zeros({}), 3) == errc::invalid_argument);
    BOOST_TEST(of(stile::zeros({6, 4}), stile::zeros({6}), -1) == errc::invalid_argument);
    BOOST_TEST(of(stile::zeros({6, 4}), stile::zeros({6}), 3, {.iouThreshold = 1.1}) == errc::invalid_argument);
    BOOST_TEST(of(stile::zeros({6, 4}), stile::zeros({6}), 3, {.softNmsSigma = NAN}) == errc::invalid_argument);
    BOOST_TEST(of(stile::zeros({6, 4}, DType::int32), stile::zeros({6}), 3) == errc::wrong_dtype);
    BOOST_TEST(of(stile::zeros({6, 4}), stile::zeros({6}, DType::int32), 3) == errc::wrong_dtype);
}

BOOST_AUTO_TEST_CASE(empty_rows_get_the_default) {
    Reader rig;
    // Row 3, then 1 twice, of five rows.
    const Tensor indices = ints({3, 2, 1, 5, 1, 0}, {3, 2});
    const auto filled = rig.get(sparse::sparseFillEmptyRowsAsync(indices, floats({30, 15, 10}), ints({5, 6}), Tensor(-1.0F)));
    BOOST_TEST(filled.outputIndices.shape() == Shape(6, 2));
    BOOST_TEST((rig.intsOf(filled.outputIndices) == Ints{0, 0, 1, 5, 1, 0, 2, 0, 3, 2, 4, 0}));
    BOOST_TEST((rig.floatsOf(filled.outputValues) == Floats{-1, 15, 10, -1, 30, -1}));
    BOOST_TEST((rig.boolsOf(filled.emptyRowIndicator) == std::vector<bool>{true, false, true, false, true}));
    BOOST_TEST((rig.intsOf(filled.reverseIndexMap) == Ints{4, 1, 2}));
    const auto words = rig.get(sparse::sparseFillEmptyRowsAsync(stile::tensor(Ints{1}, {1, 1}), stile::tensor({"x"}),
                                                                stile::tensor(Ints{2}), stile::scalar("none")));
    BOOST_TEST((rig.get(words.outputValues.data<std::string>()) == Strings{"none", "x"}));
    const Tensor nowhere = stile::zeros({0, 2}, DType::int32);
    const auto none = rig.get(sparse::sparseFillEmptyRowsAsync(nowhere, stile::zeros({0}), ints({0, 5}), Tensor(-1.0F)));
    BOOST_TEST((none.outputIndices.shape() == Shape(0, 2) && none.emptyRowIndicator.shape() == Shape(0)));
    const auto fresh = rig.get(sparse::sparseFillEmptyRowsAsync(nowhere, stile::zeros({0}), ints({2, 5}), Tensor(7.0F)));
    BOOST_TEST((rig.floatsOf(fresh.outputValues) == Floats{7, 7}));

    rig.expectFails(sparse::sparseFillEmptyRowsAsync(indices, floats({1, 2, 3}), ints({3, 6}), Tensor(0.0F)),
                    {"sparseFillEmptyRowsAsync", "indices", "element 0", "row 3 of 3"});
    rig.expectFails(sparse::sparseFillEmptyRowsAsync(ints({-1, 0}, {1, 2}), floats({1}), ints({5, 5}), Tensor(0.0F)),
                    {"row -1"});
    const auto of = [&](const Tensor& values, const Tensor& shape, const Tensor& filling) {
        return thrown([&] { (void)sparse::sparseFillEmptyRowsAsync(indices, values, shape, filling); });
    };
    BOOST_TEST(of(floats({1}), ints({5, 6}), Tensor(0.0F)) == errc::invalid_argument);
    BOOST_TEST(of(floats({1, 2, 3}), ints({5}), Tensor(0.0F)) == errc::invalid_argument);
    BOOST_TEST(of(floats({1, 2, 3}), ints({5, 6}), floats({0})) == errc::invalid_argument);
    BOOST_TEST(of(floats({1, 2, 3}), ints({5, 6}), Tensor(0)) == errc::wrong_dtype);
    BOOST_TEST(of(floats({1, 2, 3}), floats({5, 6}), Tensor(0.0F)) == errc::wrong_dtype);
}

BOOST_AUTO_TEST_CASE(coordinates_follow_a_reshape) {
    Reader rig;
    const Tensor indices = ints({0, 0, 1, 0, 1, 3, 1, 4, 3, 2, 3, 3}, {6, 2});
    const auto moved = rig.get(sparse::sparseReshapeAsync(indices, ints({5, 6}), ints({3, -1})));
    BOOST_TEST((rig.intsOf(moved.outputIndices) == Ints{0, 0, 0, 6, 0, 9, 1, 0, 2, 0, 2, 1}));
    BOOST_TEST((rig.intsOf(moved.outputShape) == Ints{3, 10}));
    // More elements than a dense tensor could have.
    const auto wide =
        rig.get(sparse::sparseReshapeAsync(ints({99'999, 99'999}, {1, 2}), ints({100'000, 100'000}), ints({-1, 8})));
    BOOST_TEST((rig.intsOf(wide.outputIndices) == Ints{1'249'999'999, 7}));
    BOOST_TEST((rig.intsOf(wide.outputShape) == Ints{1'250'000'000, 8}));
    const auto scalar =
        rig.get(sparse::sparseReshapeAsync(ints({0, 0}, {1, 2}), ints({1, 1}), stile::zeros({0}, DType::int32)));
    BOOST_TEST((scalar.outputIndices.shape() == Shape(1, 0) && scalar.outputShape.shape() == Shape(0)));

    rig.expectFails(sparse::sparseReshapeAsync(indices, ints({5, 6}), ints({4, 7})),
                    {"sparseReshapeAsync", "[4, 7]", "[5, 6]"});
    rig.expectFails(sparse::sparseReshapeAsync(indices, ints({5, 6}), ints({-1, 7})), {"newShape [-1, 7]", "30"});
    rig.expectFails(sparse::sparseReshapeAsync(indices, ints({5, 6}), ints({-1, -1})), {"newShape [1, -1]"});
    rig.expectFails(sparse::sparseReshapeAsync(indices, ints({5, 6}), ints({-1, 0})), {"newShape [-1, 0]"});
    rig.expectFails(sparse::sparseReshapeAsync(indices, ints({5, 6}), ints({-5, -6})), {"newShape [-5, -6]"});
    rig.expectFails(sparse::sparseReshapeAsync(indices, ints({3, 10}), ints({30})), {"element 4 at [3, 2]", "[3, 10]"});
    BOOST_TEST(thrown([&] { (void)sparse::sparseReshapeAsync(indices, ints({30}), ints({30})); }) == errc::invalid_argument);
    BOOST_TEST(thrown([&] { (void)sparse::sparseReshapeAsync(indices, floats({5, 6}), ints({30})); }) == errc::wrong_dtype);
}

BOOST_AUTO_TEST_CASE(rows_are_added_up_in_segments) {
    Reader rig;
    const Tensor data = floats({1, 2, 3, 4, 5, 6, 7, 8}, {4, 2});
    const Tensor rows = ints({3, 1, 0, 3}), ids = ints({0, 2, 2, 2});
    const Tensor sums = rig.get(sparse::sparseSegmentSumAsync(data, rows, ids));
    BOOST_TEST(sums.shape() == Shape(3, 2));
    BOOST_TEST((rig.floatsOf(sums) == Floats{7, 8, 0, 0, 11, 14}));
    const Tensor means = rig.get(sparse::sparseSegmentMeanAsync(ints({1, 2, 3, 4, 5, 6, 7, 8}, {4, 2}), rows, ids));
    BOOST_TEST((rig.floatsOf(means) == Floats{7, 8, 0, 0, 11 / 3.0F, 14 / 3.0F}));
    BOOST_TEST((rig.intsOf(rig.get(sparse::sparseSegmentSumAsync(ints({5, 7}), ints({1, 1}), ints({0, 0})))) == Ints{14}));
    const Tensor none = stile::zeros({0}, DType::int32);
    BOOST_TEST(rig.get(sparse::sparseSegmentMeanAsync(data, none, none)).shape() == Shape(0, 2));

    rig.expectFails(sparse::sparseSegmentSumAsync(data, ints({3, 4}), ints({0, 1})),
                    {"sparseSegmentSumAsync", "indices[1] is 4", "[4, 2]"});
    rig.expectFails(sparse::sparseSegmentSumAsync(data, ints({-1, 0}), ints({0, 1})), {"indices[0] is -1"});
    rig.expectFails(sparse::sparseSegmentMeanAsync(data, ints({0, 1}), ints({1, 0})),
                    {"sparseSegmentMeanAsync", "segmentIds[1] is 0 after 1"});
    rig.expectFails(sparse::sparseSegmentMeanAsync(data, ints({0, 1}), ints({-1, 0})), {"segmentIds[0] is -1"});
    const auto of = [&](const Tensor& x, const Tensor& picks, const Tensor& segments) {
        return thrown([&] { (void)sparse::sparseSegmentSumAsync(x, picks, segments); });
    };
    BOOST_TEST(of(Tensor(1.0F), none, none) == errc::invalid_argument);
    BOOST_TEST(of(data, rows, none) == errc::invalid_argument);
    BOOST_TEST(of(data, ints({0}, {1, 1}), ints({0}, {1, 1})) == errc::invalid_argument);
    BOOST_TEST(of(data, floats({0}), ints({0})) == errc::wrong_dtype);
    BOOST_TEST(of(stile::tensor({"a"}), ints({0}), ints({0})) == errc::wrong_dtype);
}

BOOST_AUTO_TEST_CASE(rows_of_a_ragged_tensor) {
    Reader rig;
    // [[], [[a, b, c], []], [[d]]] with pairs for letters.
    const std::vector<Tensor> splits{ints({0, 0, 2, 3}), ints({0, 3, 3, 4})};
    const Tensor values = floats({1, 2, 3, 4, 5, 6, 7, 8}, {4, 2});
    const auto rows = rig.get(stile::raggedGatherAsync(splits, values, ints({2, 1, 0, 2})));
    BOOST_TEST_REQUIRE(rows.outputNestedSplits.size() == 2U);
    BOOST_TEST((rig.intsOf(rows.outputNestedSplits[0]) == Ints{0, 1, 3, 3, 4}));
    BOOST_TEST((rig.intsOf(rows.outputNestedSplits[1]) == Ints{0, 1, 4, 4, 5}));
    BOOST_TEST((rig.floatsOf(rows.outputDenseValues) == Floats{7, 8, 1, 2, 3, 4, 5, 6, 7, 8}));
    const auto table = rig.get(stile::raggedGatherAsync(splits, values, ints({2, 0}, {1, 2})));
    BOOST_TEST_REQUIRE(table.outputNestedSplits.size() == 3U);
    BOOST_TEST((rig.intsOf(table.outputNestedSplits[0]) == Ints{0, 2}));
    BOOST_TEST((rig.intsOf(table.outputNestedSplits[1]) == Ints{0, 1, 1}));
    const auto one = rig.get(stile::raggedGatherAsync(splits, values, number(1)));
    BOOST_TEST_REQUIRE(one.outputNestedSplits.size() == 1U);
    BOOST_TEST((rig.intsOf(one.outputNestedSplits[0]) == Ints{0, 3, 3}));
    BOOST_TEST((rig.floatsOf(one.outputDenseValues) == Floats{1, 2, 3, 4, 5, 6}));

    const std::vector<Tensor> flat{ints({0, 3, 3, 4})}, falling{ints({0, 3, 2})}, outside{ints({0, 5})}, empty;
    rig.expectFails(stile::raggedGatherAsync(flat, values, ints({2, 10})), {"raggedGatherAsync", "indices", "10 of 3"});
    rig.expectFails(stile::raggedGatherAsync(falling, values, ints({0})), {"paramsNestedSplits[0][2]", "2 after 3"});
    rig.expectFails(stile::raggedGatherAsync(outside, values, ints({0})), {"paramsNestedSplits[0]", "5 of 4"});
    BOOST_TEST(thrown([&] { (void)stile::raggedGatherAsync(empty, values, ints({0})); }) == errc::invalid_argument);
    BOOST_TEST(thrown([&] { (void)stile::raggedGatherAsync(flat, Tensor(1.0F), ints({0})); }) == errc::invalid_argument);
    BOOST_TEST(thrown([&] { (void)stile::raggedGatherAsync(flat, values, floats({0})); }) == errc::wrong_dtype);
}

BOOST_AUTO_TEST_CASE(ranges_of_different_lengths) {
    Reader rig;
    const auto [splits, values] = rig.get(stile::raggedRangeAsync(ints({0, 5, 8, 5}), ints({7, 8, 8, 1}), ints({2, 1, 1, -1})));
    BOOST_TEST((rig.intsOf(splits) == Ints{0, 4, 7, 7, 11}));
    BOOST_TEST((rig.intsOf(values) == Ints{0, 2, 4, 6, 5, 6, 7, 5, 4, 3, 2}));
    const auto broken = rig.get(stile::raggedRangeAsync(Tensor(0.0F), floats({1, -1}), Tensor(0.25F)));
    BOOST_TEST((rig.intsOf(broken.rtNestedSplits) == Ints{0, 4, 4}));
    BOOST_TEST((rig.floatsOf(broken.rtDenseValues) == Floats{0, 0.25F, 0.5F, 0.75F}));
    constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min(), most = std::numeric_limits<std::int32_t>::max();
    const auto wide = rig.get(stile::raggedRangeAsync(number(least), number(most), number(most)));
    BOOST_TEST((rig.intsOf(wide.rtDenseValues) == Ints{least, -1, most - 1}));
    BOOST_TEST(rig.get(stile::raggedRangeAsync(ints({}), number(1), number(1))).rtNestedSplits.shape() == Shape(1));

    rig.expectFails(stile::raggedRangeAsync(ints({1, 2}), number(5), ints({1, 0})), {"raggedRangeAsync", "row 1", "by 0"});
    rig.expectFails(stile::raggedRangeAsync(floats({0.1F}), floats({1e10F}), floats({1e-10F})), {"row 0", "2^31"});
    rig.expectFails(stile::raggedRangeAsync(floats({0}), floats({INFINITY}), floats({INFINITY})), {"row 0"});
    rig.expectFails(stile::raggedRangeAsync(floats({NAN}), floats({1}), floats({1})), {"row 0"});
    BOOST_TEST(thrown([] { (void)stile::raggedRangeAsync(ints({1, 2}), ints({1, 2, 3}), number(1)); }) ==
               errc::invalid_argument);
    BOOST_TEST(thrown([] { (void)stile::raggedRangeAsync(ints({1}), floats({1}), number(1)); }) == errc::wrong_dtype);
}

BOOST_AUTO_TEST_CASE(ragged_rows_become_dense) {
    Reader rig;
    const Tensor values = floats({1, 2, 3, 4, 5, 6});
    const std::vector<RowPartition> rows{{rowSplits, ints({0, 2, 2, 6})}};
    const auto dense = [&](const Tensor& shape, const Tensor& x, const Tensor& filling,
                           const std::vector<RowPartition>& parts) {
        return rig.get(stile::raggedTensorToTensorAsync(shape, x, filling, parts));
    };
    const Tensor whole = dense(number(-1), values, Tensor(9.0F), rows);
    BOOST_TEST(whole.shape() == Shape(3, 4));
    BOOST_TEST((rig.floatsOf(whole) == Floats{1, 2, 9, 9, 9, 9, 9, 9, 3, 4, 5, 6}));
    BOOST_TEST((rig.floatsOf(dense(ints({-1, 3}), values, Tensor(9.0F), rows)) == Floats{1, 2, 9, 9, 9, 9, 3, 4, 5}));
    BOOST_TEST((rig.floatsOf(dense(ints({4, 1}), values, Tensor(9.0F), rows)) == Floats{1, 9, 3, 9}));
    BOOST_TEST(dense(ints({2, 0}), values, Tensor(9.0F), rows).shape() == Shape(2, 0));
    // [[[1, 2], [3]], [], [[4, 5, 6]]] in two ways.
    const std::vector<RowPartition> byIds{
        {firstDimSize, number(3)}, {valueRowIds, ints({0, 0, 2})}, {valueRowIds, ints({0, 0, 1, 2, 2, 2})}};
    const std::vector<RowPartition> bySplits{{rowSplits, ints({0, 2, 2, 3})}, {rowSplits, ints({0, 2, 3, 6})}};
    for (const auto& parts : {byIds, bySplits}) {
        const Tensor deep = dense(ints({-1, -1, 2}), values, Tensor(0.0F), parts);
        BOOST_TEST(deep.shape() == Shape(3, 2, 2));
        BOOST_TEST((rig.floatsOf(deep) == Floats{1, 2, 3, 0, 0, 0, 0, 0, 4, 5, 0, 0}));
    }
    const std::vector<RowPartition> pairs{{rowSplits, ints({0, 1, 3})}};
    const Tensor rowsOfPairs = dense(number(-1), floats({1, 2, 3, 4, 5, 6}, {3, 2}), floats({8, 9}), pairs);
    BOOST_TEST(rowsOfPairs.shape() == Shape(2, 2, 2));
    BOOST_TEST((rig.floatsOf(rowsOfPairs) == Floats{1, 2, 8, 9, 3, 4, 5, 6}));
    const std::vector<RowPartition> texts{{rowSplits, stile::tensor(Ints{0, 1, 3})}};
    const Tensor words = dense(stile::tensor(Ints{-1, -1}), stile::tensor({"a", "b", "c"}), stile::scalar("-"), texts);
    BOOST_TEST((rig.get(words.data<std::string>()) == Strings{"a", "-", "b", "c"}));
    const std::vector<RowPartition> nothing{{rowSplits, ints({0, 0})}};
    BOOST_TEST((rig.floatsOf(dense(ints({1, 2}), stile::zeros({0}), Tensor(3.0F), nothing)) == Floats{3, 3}));
}

BOOST_AUTO_TEST_CASE(partitions_that_do_not_fit) {
    Reader rig;
    const Tensor values = floats({1, 2, 3}), zero(0.0F), open = ints({-1, -1});
    const auto fails = [&](const Tensor& shape, const std::vector<RowPartition>& parts, const std::vector<std::string>& words) {
        rig.expectFails(stile::raggedTensorToTensorAsync(shape, values, zero, parts), words);
    };
    fails(ints({1, 2, 3}), {{rowSplits, ints({0, 3})}}, {"raggedTensorToTensorAsync", "shape [1, 2, 3]", "1 ragged axes"});
    fails(number(4), {{rowSplits, ints({0, 3})}}, {"scalar 4"});
    fails(ints({-2, 1}), {{rowSplits, ints({0, 3})}}, {"shape [-2, 1]"});
    fails(open, {{rowSplits, ints({0, 2})}}, {"2 values", "[3]"});
    fails(open, {{rowSplits, ints({0, 2, 1, 3})}}, {"rowPartitions[0]", "1 after 2"});
    fails(open, {{rowSplits, ints({1, 3})}}, {"rowPartitions[0]", "start at 1"});
    fails(open, {{firstDimSize, number(2)}, {valueRowIds, ints({0, 1, 2})}}, {"rowPartitions[1]", "row 2 of 2"});
    fails(open, {{firstDimSize, number(2)}, {valueRowIds, ints({0, -1, 1})}}, {"-1 after 0"});
    fails(open, {{firstDimSize, number(-1)}, {valueRowIds, ints({0, 0, 0})}}, {"-1 rows"});
    fails(ints({-1, -1, -1}), {{rowSplits, ints({0, 2})}, {rowSplits, ints({0, 3})}},
          {"rowPartitions[1]", "2 splits for 2 rows"});
    const auto of = [&](const Tensor& filling, const std::vector<RowPartition>& parts) {
        return thrown([&] { (void)stile::raggedTensorToTensorAsync(open, values, filling, parts); });
    };
    BOOST_TEST(of(zero, {}) == errc::invalid_argument);
    BOOST_TEST(of(zero, {{valueRowIds, ints({0, 0, 0})}}) == errc::invalid_argument);
    BOOST_TEST(of(zero, {{rowSplits, ints({0, 3})}, {firstDimSize, number(1)}}) == errc::invalid_argument);
    BOOST_TEST(of(zero, {{rowSplits, ints({})}}) == errc::invalid_argument);
    BOOST_TEST(of(floats({1}), {{rowSplits, ints({0, 3})}}) == errc::invalid_argument);
    BOOST_TEST(of(zero, {{rowSplits, floats({0, 3})}}) == errc::wrong_dtype);
    BOOST_TEST(of(Tensor(0), {{rowSplits, ints({0, 3})}}) == errc::wrong_dtype);
}
