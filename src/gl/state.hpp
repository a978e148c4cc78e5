#pragma once

#include <vector>

#include "gl/api.hpp"
#include "gl/driver.hpp"

namespace stile::gl {

/// Takes the errors that the application has left in its context out while the library works, so that neither counts the other's,
/// and has GL report them again after that. GL: glGetError, and commands that fail.
class ForeignErrors {
  public:
    explicit ForeignErrors(const Api& gl);
    ~ForeignErrors();
    ForeignErrors(const ForeignErrors&) = delete;
    ForeignErrors& operator=(const ForeignErrors&) = delete;

  private:
    void raise(GLenum code) const;

    const Api& gl_;
    std::vector<GLenum> codes_;
};

/// Remembers all GL state that the library changes and puts it back when it dies: the library works in between as if the
/// context were its own. Used where the context is the application's. GL: glGet, glBind….
class StateGuard {
  public:
    StateGuard(const Api& gl, const Driver& driver, ErrorLedger& errors);
    ~StateGuard();
    StateGuard(const StateGuard&) = delete;
    StateGuard& operator=(const StateGuard&) = delete;

  private:
    struct Range {
        GLint buffer = 0;
        GLint64 start = 0, size = 0;
    };

    const Api& gl_;
    ErrorLedger& errors_;
    ForeignErrors foreign_;
    bool textureBuffer_;
    GLint program_ = 0, activeTexture_ = 0, copyRead_ = 0, copyWrite_ = 0, storage_ = 0;
    std::vector<Range> blocks_;
    std::vector<GLint> textures_;
};

}  // namespace stile::gl
