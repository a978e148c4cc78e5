#include "cases.hpp"

#include <fmt/format.h>
#include <stb_image.h>
#include <stb_image_write.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <string_view>

#include "client.hpp"

namespace load {
namespace {

using nlohmann::json;

std::string differs(std::string_view what, double got, double expected, double tolerance) {
    if (std::abs(got - expected) <= tolerance) return {};
    return fmt::format("{} is {}, not {}", what, got, expected);
}

/// The first of the complaints.
std::string first(std::initializer_list<std::string> complaints) {
    const auto* const found = std::ranges::find_if(complaints, [](const std::string& c) { return !c.empty(); });
    return found == complaints.end() ? std::string() : *found;
}

Case statsCase(std::mt19937& random, int count) {
    std::uniform_real_distribution<float> value(-10, 10);
    std::vector<float> numbers(static_cast<std::size_t>(count));
    std::ranges::generate(numbers, [&] { return value(random); });
    double sum = 0, squares = 0, exponentials = 0;
    for (const float x : numbers) sum += x;
    const double mean = sum / count;
    const auto largest = std::ranges::max_element(numbers);
    for (const float x : numbers) {
        squares += (x - mean) * (x - mean);
        exponentials += std::exp(double{x} - double{*largest});
    }
    const float least = *std::ranges::min_element(numbers), most = *largest;
    const auto index = largest - numbers.begin();
    return {request("/stats", "application/json", json(numbers).dump()), [=](const json& got) {
                return first({differs("count", got["count"], count, 0), differs("mean", got["mean"], mean, 2e-5),
                              differs("deviation", got["deviation"], std::sqrt(squares / count), 2e-5),
                              differs("min", got["min"], double{least}, 0), differs("max", got["max"], double{most}, 0),
                              differs("index", got["softmax"]["index"], static_cast<double>(index), 0),
                              differs("probability", got["softmax"]["probability"], 1 / exponentials, 1e-5)});
            }};
}

struct Pixels {
    int width, height;
    std::vector<unsigned char> rgb;
    [[nodiscard]] double at(int x, int y, int channel) const {
        return rgb[static_cast<std::size_t>((y * width + x) * 3 + channel)] / 255.0;
    }
    [[nodiscard]] double grey(int x, int y) const {
        if (x < 0 || y < 0 || x >= width || y >= height) return 0;
        return 0.2126 * at(x, y, 0) + 0.7152 * at(x, y, 1) + 0.0722 * at(x, y, 2);
    }
};

double edgesOf(const Pixels& image) {
    double sum = 0;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            const auto g = [&](int dx, int dy) { return image.grey(x + dx, y + dy); };
            const double across = g(1, -1) + 2 * g(1, 0) + g(1, 1) - g(-1, -1) - 2 * g(-1, 0) - g(-1, 1);
            const double down = g(-1, 1) + 2 * g(0, 1) + g(1, 1) - g(-1, -1) - 2 * g(0, -1) - g(1, -1);
            sum += std::hypot(across, down);
        }
    }
    return sum / (image.width * image.height);
}

struct Histogram {
    std::array<int, 16> counts{};
    /// Pixels so near to the edge of a bin that rounding decides.
    int uncertain = 0;
};

Histogram histogramOf(const Pixels& image) {
    Histogram out;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            const double place = image.grey(x, y) * 16;
            if (std::abs(place - std::round(place)) < 1e-4) ++out.uncertain;
            ++out.counts[static_cast<std::size_t>(std::clamp(static_cast<int>(place), 0, 15))];
        }
    }
    return out;
}

/// Means of blocks, of which the image has 8 × 8.
std::vector<double> cellsOf(const Pixels& image) {
    std::vector<double> cells(8 * 8 * 3);
    const int w = image.width / 8, h = image.height / 8;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            for (int c = 0; c < 3; ++c)
                cells[static_cast<std::size_t>((y / h * 8 + x / w) * 3 + c)] += image.at(x, y, c) / (w * h);
        }
    }
    return cells;
}

std::string gridDiffers(const json& rows, const std::vector<double>& cells) {
    for (std::size_t i = 0; i < 64; ++i) {
        const auto colour = rows.at(i / 8).at(i % 8).get<std::string>();
        for (std::size_t c = 0; c < 3; ++c) {
            const double got = std::stoi(colour.substr(1 + 2 * c, 2), nullptr, 16);
            if (std::abs(got - cells[3 * i + c] * 255) > 0.51) return fmt::format("cell {} is {}", i, colour);
        }
    }
    return {};
}

void append(void* to, void* data, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
}

/// Waves of random frequency in each channel.
Pixels drawImage(std::mt19937& random, int width, int height) {
    std::uniform_real_distribution<double> wave(0.05, 0.6);
    Pixels image{width, height, {}};
    const std::array<double, 6> k{wave(random), wave(random), wave(random), wave(random), wave(random), wave(random)};
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            for (std::size_t c = 0; c < 3; ++c) {
                image.rgb.push_back(
                    static_cast<unsigned char>(127.5 + 127 * std::sin(k[2 * c] * x) * std::cos(k[2 * c + 1] * y)));
            }
        }
    }
    return image;
}

Case imageCase(std::mt19937& random, int width, int height, bool png) {
    Pixels image = drawImage(random, width, height);
    std::string file;
    if (png) {
        stbi_write_png_to_func(append, &file, width, height, 3, image.rgb.data(), 3 * width);
    } else {
        stbi_write_jpg_to_func(append, &file, width, height, 3, image.rgb.data(), 85);
        int w = 0, h = 0, channels = 0;
        const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> decoded(
            stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(file.data()), static_cast<int>(file.size()), &w, &h,
                                  &channels, 3),
            stbi_image_free);
        image.rgb.assign(decoded.get(), decoded.get() + image.rgb.size());
    }
    std::array<double, 3> mean{};
    for (std::size_t i = 0; i < image.rgb.size(); ++i) mean[i % 3] += image.rgb[i] / 255.0 / (width * height);
    const double edges = edgesOf(image);
    const Histogram histogram = histogramOf(image);
    const std::vector<double> cells = cellsOf(image);
    return {
        request("/image", png ? "image/png" : "image/jpeg", file), [=](const json& got) {
            int away = 0;
            for (std::size_t i = 0; i < 16; ++i) away += std::abs(got["histogram"].at(i).get<int>() - histogram.counts[i]);
            return first({differs("width", got["width"], width, 0), differs("height", got["height"], height, 0),
                          differs("red", got["mean"].at(0), mean[0], 2e-6), differs("green", got["mean"].at(1), mean[1], 2e-6),
                          differs("blue", got["mean"].at(2), mean[2], 2e-6), differs("edges", got["edges"], edges, 2e-5),
                          differs("pixels in other bins", away, 0, 2 * histogram.uncertain), gridDiffers(got["grid"], cells)});
        }};
}

Case eigenvalueCase(std::mt19937& random, int size, int steps) {
    std::uniform_real_distribution<float> value(0, 1);
    std::vector<std::vector<float>> matrix(static_cast<std::size_t>(size), std::vector<float>(static_cast<std::size_t>(size)));
    for (auto& row : matrix) std::ranges::generate(row, [&] { return value(random); });
    std::vector<double> v(matrix.size(), 1);
    // Positive numbers: the iteration converges to the eigenvalue, from any positive vector.
    double eigenvalue = 0;
    for (int step = 0; step < 1000; ++step) {
        std::vector<double> next(v.size());
        for (std::size_t r = 0; r < v.size(); ++r) {
            for (std::size_t c = 0; c < v.size(); ++c) next[r] += double{matrix[r][c]} * v[c];
        }
        eigenvalue = *std::ranges::max_element(next);
        for (std::size_t r = 0; r < v.size(); ++r) v[r] = next[r] / eigenvalue;
    }
    const json body{{"matrix", matrix}, {"steps", steps}};
    return {request("/eigenvalue", "application/json", body.dump()), [=](const json& got) {
                return first({differs("value", got["value"], eigenvalue, 2e-4), differs("steps", got["steps"], steps, 0)});
            }};
}

}  // namespace

std::vector<Case> makeCases() {
    std::mt19937 random(1);  // NOLINT: the same mix in every run
    std::vector<Case> cases;
    for (int i = 0; i < 20; ++i) {
        for (const int count : {4, 30, 200}) cases.push_back(statsCase(random, count));
        cases.push_back(imageCase(random, 64, 48, true));
        cases.push_back(imageCase(random, 96, 64, false));
    }
    for (const int size : {4, 8, 16, 24}) cases.push_back(eigenvalueCase(random, size, 40));
    std::ranges::shuffle(cases, random);
    return cases;
}

}  // namespace load
