#include "daemon.h"

namespace fcitx::contextdiff {

namespace {

contextdiff_text lent(const std::string &text) { return {text.data(), text.size()}; }

} // namespace

Daemon::Daemon(EventLoop &loop) : client_(contextdiff_client_new(nullptr)) {
    if (!client_) {
        return;
    }
    waiting_ = loop.addIOEvent(contextdiff_client_fd(client_.get()), IOEventFlag::In, [this](EventSourceIO *, int, IOEventFlags) {
        contextdiff_client_process(client_.get());
        return true;
    });
}

void Daemon::post(const std::string &session, const contextdiff_observation &observation) {
    if (contextdiff_client_post(client_.get(), lent(session), &observation, 0, nullptr, nullptr) != CONTEXTDIFF_OK) {
        // The next post must not be read as a change of the one before.
        forget(session);
    }
}

void Daemon::expect(const std::string &session, const contextdiff_edit &edit) {
    contextdiff_client_expect(client_.get(), lent(session), nullptr, &edit, nullptr, nullptr);
}

void Daemon::forget(const std::string &session) {
    contextdiff_client_forget(client_.get(), lent(session), nullptr, nullptr);
}

} // namespace fcitx::contextdiff
