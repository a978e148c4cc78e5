#include "gl/timer.hpp"

namespace stile::gl {

Timer::~Timer() {
    if (!all_.empty()) gl_.DeleteQueries(static_cast<GLsizei>(all_.size()), all_.data());
}

GLuint Timer::mark() {
    if (free_.empty()) {
        GLuint query = 0;
        gl_.GenQueries(1, &query);
        all_.push_back(query);
        free_.push_back(query);
    }
    const GLuint query = free_.back();
    free_.pop_back();
    markAgain(query);
    return query;
}

bool Timer::isDone(GLuint mark) const {
    GLuint done = 0;
    gl_.GetQueryObjectuiv(mark, GL_QUERY_RESULT_AVAILABLE, &done);
    return done != 0;
}

std::int64_t Timer::take(GLuint mark) {
    GLuint64 time = 0;
    gl_.GetQueryObjectui64v(mark, GL_QUERY_RESULT, &time);
    free_.push_back(mark);
    return static_cast<std::int64_t>(time);
}

std::int64_t Timer::now() const {
    GLint64 time = 0;
    gl_.GetInteger64v(GL_TIMESTAMP, &time);
    return time;
}

}  // namespace stile::gl
