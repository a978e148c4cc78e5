#define BOOST_TEST_MODULE complex
#include <complex>
#include <sstream>

#include "values.hpp"

using namespace stile;
using namespace test;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

namespace {

using Complex = std::complex<float>;
using Complexes = std::vector<Complex>;

void expectComplex(const Tensor& x, const Shape& shape, const Complexes& expected) {
    BOOST_TEST(x.shape() == shape);
    BOOST_TEST(x.dtype() == DType::complex64);
    BOOST_TEST(x.dataSync<Complex>() == expected, boost::test_tools::per_element());
}

const Complexes some{{1, 2}, {3, -4}, {-5, 6}, {0, 7}};
Tensor numbers() { return tensor(some, {2, 2}); }

}  // namespace

BOOST_AUTO_TEST_CASE(parts_go_in_and_come_out) {
    expectComplex(complex(floats({1, 3}), floats({2, -4})), {2}, {{1, 2}, {3, -4}});
    expectFloats(real(numbers()), {2, 2}, {1, 3, -5, 0});
    expectFloats(imag(numbers()), {2, 2}, {2, -4, 6, 7});
    expectFloats(imag(complex(floats({1, 3}), floats({2, -4}))), {2}, {2, -4});
    expectFloats(imag(floats({1})), {1}, {0});
    expectComplex(complex(Tensor(1.0F), Tensor(2.0F)), {}, {{1, 2}});
    expectComplex(complex(zeros({0, 3}), zeros({0, 3})), {0, 3}, {});
}

BOOST_AUTO_TEST_CASE(arithmetic) {
    const Tensor x = tensor(Complexes{{1, 2}, {3, -4}}), y = tensor(Complexes{{0, 1}, {2, 2}});
    expectComplex(x + y, {2}, {{1, 3}, {5, -2}});
    expectComplex(x - 1.0F, {2}, {{0, 2}, {2, -4}});
    expectComplex(x * y, {2}, {{-2, 1}, {14, -2}});
    expectComplex(x / y, {2}, {{2, -1}, {-0.25F, -1.75F}});
    expectComplex(tensor(Complexes{{1e20F, 0}, {1e-30F, 1e-30F}}) / tensor(Complexes{{1e20F, 0}, {1e-30F, 0}}), {2},
                  {{1, 0}, {1, 1}});
    expectFloats(abs(tensor(Complexes{{infinity, infinity}, {-infinity, 1}})), {2}, {infinity, infinity});
    expectComplex(-x, {2}, {{-1, -2}, {-3, 4}});
    expectFloats(abs(tensor(Complexes{{3, -4}, {0, 0}, {3e30F, 4e30F}})), {3}, {5, 0, 5e30F}, 1e-6);
    expectBools(equal(x, tensor(Complexes{{1, 2}, {3, 4}})), {2}, {1, 0});
    expectBools(notEqual(x, tensor(Complexes{{1, 2}, {3, 4}})), {2}, {0, 1});
    expectComplex(sum(numbers(), 0), {2}, {{-4, 8}, {3, 3}});
    expectComplex(where(bools({1, 0}), x, y), {2}, {{1, 2}, {2, 2}});
    expectComplex(matMul(numbers(), numbers()), {2, 2}, {{6, 42}, {39, 23}, {-59, -39}, {-40, 38}});
}

BOOST_AUTO_TEST_CASE(what_moves_elements_moves_pairs) {
    expectComplex(transpose(numbers()), {2, 2}, {some[0], some[2], some[1], some[3]});
    expectComplex(slice(numbers(), {0, 1}, {2, 1}), {2, 1}, {some[1], some[3]});
    expectComplex(reshape(numbers(), {4}), {4}, some);
    expectComplex(concat({numbers(), ones({1, 2})}), {3, 2}, {some[0], some[1], some[2], some[3], {1, 0}, {1, 0}});
    expectComplex(pad(tensor(Complexes{{1, 2}}), {{1, 0}}, 5), {2}, {{5, 0}, {1, 2}});
    expectComplex(gather(numbers(), ints({1, 7})), {2, 2}, {some[2], some[3], {0, 0}, {0, 0}});
    expectComplex(zeros({2}, DType::complex64), {2}, {{0, 0}, {0, 0}});
    expectComplex(tensorScatterUpdate(reshape(numbers(), {4}), ints({2}), tensor(Complexes{{8, 9}})), {4},
                  {some[0], some[1], {8, 9}, some[3]});
    expectComplex(scatterND(ints({1, 1}), tensor(Complexes{{1, 2}, {3, 5}}), {2}), {2}, {{0, 0}, {4, 7}});
}

BOOST_AUTO_TEST_CASE(conversion) {
    expectFloats(cast(numbers(), DType::float32), {2, 2}, {1, 3, -5, 0});
    expectComplex(cast(ints({1, 2}), DType::complex64), {2}, {{1, 0}, {2, 0}});
    BOOST_TEST(promote(DType::complex64, DType::boolean) == DType::complex64);
    std::ostringstream out;
    out << tensor(Complexes{{1, -2}}).arraySync<Complex>();
    BOOST_TEST(out.str() == "[1-2j]");
}

BOOST_AUTO_TEST_CASE(other_operations_refuse_it) {
    expectError(errc::wrong_dtype, {"sqrt", "complex64", "[2, 2]"}, [] { (void)sqrt(numbers()); });
    expectError(errc::wrong_dtype, {"max", "complex64", "[2, 2]"}, [] { (void)max(numbers()); });
    expectError(errc::wrong_dtype, {"conv2d", "complex64"},
                [] { (void)conv2d(zeros({2, 2, 1}, DType::complex64), zeros({1, 1, 1, 1})); });
    expectError(errc::invalid_argument, {"complex", "[2]", "[3]"}, [] { (void)complex(zeros({2}), zeros({3})); });
}

BOOST_AUTO_TEST_CASE(strings_stay_on_the_host) {
    using Strings = std::vector<std::string>;
    const std::string longest(100, 'x');
    const Tensor x = tensor({{"a", "bc"}, {longest.c_str(), ""}});
    BOOST_TEST((x.dtype() == DType::string && x.shape() == Shape(2, 2)));
    BOOST_TEST(x.dataSync<std::string>() == (Strings{"a", "bc", longest, ""}));
    BOOST_TEST(transpose(x).dataSync<std::string>() == (Strings{"a", longest, "bc", ""}));
    BOOST_TEST(gather(x, ints({1, 5})).dataSync<std::string>() == (Strings{longest, "", "", ""}));
    BOOST_TEST(concat({x, x}, 1).dataSync<std::string>() == (Strings{"a", "bc", "a", "bc", longest, "", longest, ""}));
    BOOST_TEST(reshape(x, {4}).slice({1}, {2}).dataSync<std::string>() == (Strings{"bc", longest}));
    BOOST_TEST(sparseToDense(ints({2, 0}), tensor({"a", "b"}), {3}, scalar("-")).dataSync<std::string>() ==
               (Strings{"b", "-", "a"}));
    BOOST_TEST(sparseToDense(ints({1}), tensor({"a"}), {2}).dataSync<std::string>() == (Strings{"", "a"}));
    expectBools(equal(x, scalar("a")), {2, 2}, {1, 0, 0, 0});
    expectBools(less(x, fill({2}, "b")), {2, 2}, {1, 0, 0, 1});
    std::ostringstream out;
    out << tensor({"a\"b", "c"}).arraySync<std::string>();
    BOOST_TEST(out.str() == R"(["a\"b", "c"])");
    expectError(errc::wrong_dtype, {"add", "string", "[2, 2]"}, [&] { (void)(x + x); });
    expectError(errc::wrong_dtype, {"neg", "string", "[2, 2]"}, [&] { (void)-x; });
    expectError(errc::wrong_dtype, {"sum", "string", "[2, 2]"}, [&] { (void)sum(x); });
    expectError(errc::wrong_dtype, {"cast", "string", "[2, 2]"}, [&] { (void)cast(x, DType::float32); });
    expectError(errc::invalid_argument, {"tensor", "strings"}, [] { (void)tensor({"a", 1}); });
}
