#include "child.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <stdexcept>
#include <utility>

extern char** environ;

namespace load {
namespace {

std::string readLine(int file) {
    std::string line;
    for (char c = 0; ::read(file, &c, 1) == 1 && c != '\n';) line += c;
    return line;
}

}  // namespace

Child::Child(const std::string& program, std::vector<std::string> arguments) {
    std::array<int, 2> pipe{};
    if (::pipe(pipe.data()) != 0) throw std::runtime_error("no pipe");
    output_ = pipe[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, pipe[0]);
    posix_spawn_file_actions_addclose(&actions, pipe[1]);
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const int error = posix_spawn(&process_, program.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(pipe[1]);
    if (error != 0) throw std::runtime_error("cannot start " + program);
    renderer_ = readLine(output_);
    const std::string address = readLine(output_);
    const std::size_t colon = address.rfind(':');
    if (colon == std::string::npos) throw std::runtime_error(program + " does not listen: " + renderer_);
    port_ = static_cast<unsigned short>(std::stoi(address.substr(colon + 1)));
}

Child::~Child() {
    if (process_ > 0) {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    ::close(output_);
}

int Child::stop() {
    ::kill(process_, SIGTERM);
    int status = 0;
    ::waitpid(std::exchange(process_, 0), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace load
