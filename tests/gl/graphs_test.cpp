#define BOOST_TEST_MODULE graphs
#include "values.hpp"

#include <cmath>
#include <cstdlib>
#include <exception>
#include <future>
#include <string>

#include <stile/download.hpp>

#include "random_graph.hpp"

// Random graphs of operations against the interpreter. STILE_GRAPHS=count and STILE_GRAPHS_SEED=first run others.
using namespace test;
BOOST_TEST_GLOBAL_FIXTURE(ValueDevice);

namespace {

std::uint64_t setting(const char* name, std::uint64_t fallback) {
    const char* text = std::getenv(name);
    return text ? std::stoull(text) : fallback;
}

std::vector<double> download(const stile::Tensor& x) {
    switch (x.dtype()) {
        case stile::DType::float32: {
            const auto v = x.dataSync<float>();
            return {v.begin(), v.end()};
        }
        case stile::DType::int32: {
            const auto v = x.dataSync<std::int32_t>();
            return {v.begin(), v.end()};
        }
        case stile::DType::boolean: {
            const auto v = x.dataSync<bool>();
            return {v.begin(), v.end()};
        }
        case stile::DType::complex64:
        case stile::DType::string: break;  // the graphs have none
    }
    return {};
}

void runTogether(std::vector<stile::Tensor> tensors) {
    std::promise<void> done;
    stile::eval(std::move(tensors), [&done](const std::exception_ptr& error) {
        if (error) {
            done.set_exception(error);
        } else {
            done.set_value();
        }
    });
    done.get_future().get();
}

void expectEqual(const RandomGraph::Item& item) {
    BOOST_REQUIRE_MESSAGE(item.tensor.shape() == item.value.shape,
                          "shape " << toString(item.tensor.shape()) << ", expected " << toString(item.value.shape));
    BOOST_REQUIRE(item.tensor.dtype() == item.value.dtype);
    const std::vector<double> actual = download(item.tensor);
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double expected = item.value.data[i];
        if (std::abs(actual[i] - expected) <= item.error) continue;
        BOOST_FAIL("[" << i << "] of " << toString(item.value.shape) << ' ' << name(item.value.dtype) << " is " << actual[i]
                       << ", expected " << expected << " within " << item.error);
    }
}

void runGraph(std::uint64_t seed) {
    RandomGraph graph(seed);
    for (std::size_t i = 0, n = 2 + graph.draw(4); i < n; ++i) graph.addLeaf();
    for (int part = 0; part < 3; ++part) {
        for (std::size_t i = 0, n = 3 + graph.draw(20); i < n; ++i) {
            graph.addStep();
            if (graph.draw(6) == 0) graph.dropOne();
        }
        graph.addLeaf();
        // Several results of one submission; later parts go on from them, and from what was computed only inside kernels.
        std::vector<RandomGraph::Item> wanted;
        for (std::size_t i = 0, n = 1 + graph.draw(4); i < n; ++i)
            wanted.push_back(graph.items()[graph.draw(graph.items().size())]);
        std::vector<stile::Tensor> tensors;
        for (const auto& item : wanted) tensors.push_back(item.tensor);
        runTogether(tensors);
        for (const auto& item : wanted) expectEqual(item);
    }
    expectEqual(graph.items().back());
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_graphs_agree_with_the_interpreter) {
    const std::uint64_t first = setting("STILE_GRAPHS_SEED", 1), count = setting("STILE_GRAPHS", 150);
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        BOOST_TEST_CONTEXT("STILE_GRAPHS=1 STILE_GRAPHS_SEED=" << seed) { runGraph(seed); }
    }
}
