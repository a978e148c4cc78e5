// expect: no matching function for call to .*async_initiate
#include <string>

#include <stile/download.hpp>

void wrong(const stile::Tensor& a) {
    a.data([](std::exception_ptr, std::string) {});
}
