#include "gl/replace_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <system_error>

namespace stile::gl {

void replaceFile(const std::filesystem::path& file, std::string_view bytes) noexcept try {
    std::filesystem::path temporary = file;
    temporary += fmt::format(".{}", getpid());
    std::error_code failed;
    std::ofstream stream(temporary, std::ios::binary);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    stream.close();
    if (stream) {
        std::filesystem::rename(temporary, file, failed);
    } else {
        std::filesystem::remove(temporary, failed);
    }
} catch (...) {  // no memory for a name
}

}  // namespace stile::gl
