#define BOOST_TEST_MODULE reduce
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

#include <stile/stile.hpp>

#include "device.hpp"
#include "run.hpp"

using test::GlobalDevice;
BOOST_TEST_GLOBAL_FIXTURE(GlobalDevice);
using test::run;

BOOST_AUTO_TEST_CASE(a_sum_is_not_cut_at_65535_elements) {
    BOOST_TEST(run(stile::sum(stile::ones({100000})).array()).at() == 100000.0F);
}
