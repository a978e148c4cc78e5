#pragma once

#include <string>
#include <vector>

namespace load {

/// The server as a process of its own.
class Child {
  public:
    /// Starts it and reads its port from what it prints. \throws std::runtime_error if it does not come up.
    Child(const std::string& program, std::vector<std::string> arguments);
    /// Kills it if it still runs.
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    [[nodiscard]] unsigned short port() const noexcept { return port_; }
    [[nodiscard]] const std::string& renderer() const noexcept { return renderer_; }
    /// Sends SIGTERM and waits; its exit status.
    int stop();

  private:
    int process_ = 0, output_ = -1;
    unsigned short port_ = 0;
    std::string renderer_;
};

}  // namespace load
