#define BOOST_TEST_MODULE forms
#include "values.hpp"

#include <stile/buffer.hpp>

using namespace stile;
using namespace test;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

BOOST_AUTO_TEST_CASE(tensors_of_a_given_rank) {
    expectFloats(tensor1d({1, 2, 3}), {3}, {1, 2, 3});
    expectInts(tensor1d(std::vector<int>{1, 2}), {2}, {1, 2});
    expectFloats(tensor2d({{1, 2}, {3, 4}}), {2, 2}, {1, 2, 3, 4});
    expectInts(tensor2d({1.9, 2, 3, 4}, {2, 2}, DType::int32), {2, 2}, {1, 2, 3, 4});
    expectInts(tensor2d(std::vector<double>{16777217, 2.9}, {1, 2}, DType::int32), {1, 2}, {16777217, 2});
    expectBools(tensor3d({{{true}, {false}}}), {1, 2, 1}, {1, 0});
    expectFloats(tensor4d({{{{1}}}, {{{2}}}}, {2, 1, 1, 1}), {2, 1, 1, 1}, {1, 2});
    expectFloats(tensor5d({1, 2}, {1, 1, 1, 1, 2}), {1, 1, 1, 1, 2}, {1, 2});
    expectInts(tensor6d({1, 2}, {1, 1, 1, 1, 2, 1}, DType::int32), {1, 1, 1, 1, 2, 1}, {1, 2});
    expectError(errc::invalid_argument, {"tensor2d", "[3]", "rank 2"}, [] { (void)tensor2d({1, 2, 3}); });
    expectError(errc::invalid_argument, {"tensor3d", "[4, 1]"}, [] { (void)tensor3d({1, 2, 3, 4}, {4, 1}); });
    expectError(errc::invalid_argument, {"tensor", "3 values", "[0, 3, 0]"}, [] { (void)tensor3d({1, 2, 3}, {0, 3, 0}); });
    expectError(errc::invalid_argument, {"tensor", "[2, 2]", "[4]"}, [] { (void)tensor({{1, 2}, {3, 4}}, Shape{4}); });
}

BOOST_AUTO_TEST_CASE(operations_of_a_given_rank) {
    const Tensor v = floats({1, 2, 3}), m = counting({2, 2});
    expectFloats(concat1d({v, v}), {6}, {1, 2, 3, 1, 2, 3});
    expectFloats(concat2d({m, m}, 1), {2, 4}, {0, 1, 0, 1, 2, 3, 2, 3});
    expectFloats(reverse1d(v), {3}, {3, 2, 1});
    expectFloats(reverse2d(m, 0), {2, 2}, {2, 3, 0, 1});
    expectFloats(slice1d(v, {1}, {-1}), {2}, {2, 3});
    expectFloats(slice2d(m, {1, 0}, {1, 1}), {1, 1}, {2});
    expectFloats(pad1d(v, {{1, 0}}, 9), {4}, {9, 1, 2, 3});
    BOOST_TEST((pad4d(zeros({1, 1, 1, 1}), {{1, 0}, {0, 0}, {0, 0}, {0, 2}}).shape() == Shape{2, 1, 1, 3}));
    expectError(errc::invalid_argument, {"concat3d", "[2, 2]"}, [&] { (void)concat3d({m}); });
    expectError(errc::invalid_argument, {"reverse4d", "[3]"}, [&] { (void)reverse4d(v); });
    expectError(errc::invalid_argument, {"slice3d", "[3]"}, [&] { (void)slice3d(v, {0}); });
    expectError(errc::invalid_argument, {"pad2d", "[3]"}, [&] { (void)pad2d(v, {{0, 0}}); });
}

BOOST_AUTO_TEST_CASE(a_buffer_is_written_and_becomes_a_tensor) {
    auto b = buffer({2, 3});
    b.set(2.5F, 1, 2);
    b.set(-1, 0, 0);
    BOOST_TEST(b.get(1, 2) == 2.5F);
    BOOST_TEST(b.locToIndex({1, 2}) == 5);
    BOOST_TEST((b.indexToLoc(4) == std::vector<std::int64_t>{1, 1}));
    const Tensor before = b.toTensor();
    b.set(7, 0, 1);
    expectFloats(computed(before), {2, 3}, {-1, 0, 0, 0, 0, 2.5});
    auto bits = buffer<bool>(Shape{}, {1});
    BOOST_TEST(bits.get());
    bits.set(false);
    expectBools(bits.toTensor(), {}, {0});
    expectInts(buffer<std::int32_t>({2}, {greatestInt, 1}).toTensor(), {2}, {greatestInt, 1});
    expectError(errc::invalid_argument, {"buffer", "coordinate 3", "[2, 3]"}, [&] { (void)b.get(0, 3); });
    expectError(errc::invalid_argument, {"buffer", "1 coordinates", "[2, 3]"}, [&] { b.set(1, 0); });
    expectError(errc::invalid_argument, {"buffer", "index 6", "[2, 3]"}, [&] { (void)b.indexToLoc(6); });
}

BOOST_AUTO_TEST_CASE(one_hot_and_diagonals) {
    expectInts(oneHot(ints({0, 3, -1, 2}), 3), {4, 3}, {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
    expectFloats(oneHot(Tensor(1), 2, {.onValue = 0.5, .offValue = NaN, .dtype = DType::float32}), {2}, {NaN, 0.5});
    expectBools(oneHot(zeros({0, 2}, DType::int32), 2, {.dtype = DType::boolean}), {0, 2, 2}, {});
    expectFloats(diag(floats({1, NaN, 3})), {3, 3}, {1, 0, 0, 0, NaN, 0, 0, 0, 3});
    expectBools(diag(bools({1, 1})), {2, 2}, {1, 0, 0, 1});
    expectInts(diag(counting({2, 1}, DType::int32)), {2, 1, 2, 1}, {0, 0, 0, 1});
    expectFloats(diag(Tensor(4.0F)), {}, {4});
    expectFloats(diag(zeros({0})), {0, 0}, {});
    expectFloats(eye(2, 1, Shape{2}), {2, 2, 1}, {1, 0, 1, 0});
    expectFloats(range(3, 0), {3}, {3, 2, 1});
    expectError(errc::invalid_argument, {"oneHot", "depth 1"}, [] { (void)oneHot(ints({0}), 1); });
    expectError(errc::wrong_dtype, {"oneHot", "float32"}, [] { (void)oneHot(zeros({1}), 2); });
    expectError(errc::invalid_argument, {"diag", "[1, 1, 1, 1, 1]"}, [] { (void)diag(zeros({1, 1, 1, 1, 1})); });
}

BOOST_AUTO_TEST_CASE(shapes_are_ensured_and_broadcast) {
    const Tensor x = zeros({2, 3});
    BOOST_TEST((ensureShape(x, {-1, 3}).node() == x.node()));
    expectError(errc::invalid_argument, {"ensureShape", "[2, 3]", "[5, 3]"}, [&] { (void)ensureShape(x, {5, 3}); });
    expectInts(broadcastArgs(ints({2, 1, 3}), ints({4, 1})), {3}, {2, 4, 3});
    expectInts(broadcastArgs(ints({}), ints({4, 0})), {2}, {4, 0});
    expectInts(broadcastArgs(computed(ints({2, 3})), computed(ints({4, 3}))), {2}, {-1, 3});
    expectError(errc::invalid_argument, {"broadcastArgs", "[2]", "[3]"}, [] { (void)broadcastArgs(ints({2}), ints({3})); });
    expectError(errc::invalid_argument, {"broadcastArgs", "[1, 1]"},
                [] { (void)broadcastArgs(ones({1, 1}, DType::int32), ints({3})); });
    const std::vector<Tensor> xy = meshgrid({floats({1, 2, 3}), ints({4, 5})});
    expectFloats(xy[0], {2, 3}, {1, 2, 3, 1, 2, 3});
    expectInts(xy[1], {2, 3}, {4, 4, 4, 5, 5, 5});
    const std::vector<Tensor> ij = meshgrid({floats({1, 2, 3}), ints({4, 5}), bools({1})}, Indexing::ij);
    expectFloats(ij[0], {3, 2, 1}, {1, 1, 2, 2, 3, 3});
    expectInts(ij[1], {3, 2, 1}, {4, 5, 4, 5, 4, 5});
    BOOST_TEST(meshgrid({}).empty());
}

BOOST_AUTO_TEST_CASE(mirrors) {
    const auto reflect = MirrorMode::reflect, symmetric = MirrorMode::symmetric;
    expectFloats(mirrorPad(floats({1, 2, 3}), {{2, 1}}, reflect), {6}, {3, 2, 1, 2, 3, 2});
    expectFloats(mirrorPad(floats({1, 2, 3}), {{2, 3}}, symmetric), {8}, {2, 1, 1, 2, 3, 3, 2, 1});
    expectInts(mirrorPad(counting({2, 2}, DType::int32), {{1, 0}, {0, 1}}, reflect), {3, 3}, {2, 3, 2, 0, 1, 0, 2, 3, 2});
    expectFloats(mirrorPad(zeros({0, 2}), {{0, 0}, {2, 0}}, symmetric), {0, 4}, {});
    expectError(errc::invalid_argument, {"mirrorPad", "(3, 0)", "[3]"},
                [&] { (void)mirrorPad(zeros({3}), {{3, 0}}, reflect); });
    expectError(errc::invalid_argument, {"mirrorPad", "(0, 4)", "[3]"},
                [&] { (void)mirrorPad(zeros({3}), {{0, 4}}, symmetric); });
    expectError(errc::invalid_argument, {"mirrorPad", "scalar"}, [&] { (void)mirrorPad(Tensor(1.0F), {}, symmetric); });
}

BOOST_AUTO_TEST_CASE(blocks_become_batches_and_back) {
    const Tensor x = counting({1, 4, 2, 1});
    expectFloats(spaceToBatchND(x, {2, 2}, {{0, 0}, {0, 0}}), {4, 2, 1, 1}, {0, 4, 1, 5, 2, 6, 3, 7});
    expectFloats(batchToSpaceND(spaceToBatchND(x, {2, 2}, {{0, 0}, {0, 0}}), {2, 2}, {{1, 0}, {0, 1}}), {1, 3, 1, 1},
                 {2, 4, 6});
    expectFloats(spaceToBatchND(counting({2, 3}) + 1.0F, {2}, {{1, 0}}), {4, 2}, {0, 2, 0, 5, 1, 3, 4, 6});
    // Eight axes and three blocks: the walk in between has eleven.
    const Tensor deep = counting({1, 2, 2, 2, 1, 1, 1, 3}, DType::int32);
    const Tensor cut = spaceToBatchND(deep, {2, 2, 2}, {{0, 0}, {0, 0}, {0, 0}});
    BOOST_TEST((cut.shape() == Shape{8, 1, 1, 1, 1, 1, 1, 3}));
    expectBools(all(batchToSpaceND(cut, {2, 2, 2}, {{0, 0}, {0, 0}, {0, 0}}) == deep), {}, {1});
    expectFloats(spaceToBatchND(zeros({1, 0}), {2}, {{0, 0}}), {2, 0}, {});
    expectFloats(depthToSpace(counting({1, 1, 2, 4}), 2), {1, 2, 4, 1}, {0, 1, 4, 5, 2, 3, 6, 7});
    expectFloats(depthToSpace(counting({1, 8, 1, 1}), 2, DataFormat::nchw), {1, 2, 2, 2}, {0, 2, 4, 6, 1, 3, 5, 7});
    expectError(errc::invalid_argument, {"spaceToBatchND", "axis 1", "block 3"},
                [&] { (void)spaceToBatchND(x, {3}, {{0, 0}}); });
    expectError(errc::invalid_argument, {"batchToSpaceND", "[1, 4, 2, 1]"}, [&] { (void)batchToSpaceND(x, {2}, {{0, 0}}); });
    expectError(errc::invalid_argument, {"batchToSpaceND", "crop (5, 0)"}, [&] { (void)batchToSpaceND(x, {1}, {{5, 0}}); });
    expectError(errc::invalid_argument, {"depthToSpace", "blocks of 3"},
                [&] { (void)depthToSpace(counting({1, 1, 1, 4}), 3); });
    expectError(errc::wrong_dtype, {"depthToSpace", "int32"}, [] { (void)depthToSpace(ones({1, 1, 1, 4}, DType::int32), 2); });
}
