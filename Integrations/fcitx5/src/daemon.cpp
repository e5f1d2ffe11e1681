#include "daemon.h"

#include <algorithm>
#include <cstring>

namespace fcitx::contextdiff {

namespace {

// A post whose answer is waited for.
struct Posted {
    Daemon *daemon;
    std::string session;
};

// The next post must not be read as a change of what was there before one that failed.
void posted(int status, int64_t, const contextdiff_transition *, void *data) {
    std::unique_ptr<Posted> post(static_cast<Posted *>(data));
    if (status < 0 && status != CONTEXTDIFF_CANCELLED) {
        post->daemon->forget(post->session);
    }
}

contextdiff_client *makeClient() {
    contextdiff_client_options options = CONTEXTDIFF_CLIENT_OPTIONS_INIT;
    // An hour: nobody waits, and an answer that comes late still tells whether the post was read.
    options.deadline = 3'600'000'000;
    return contextdiff_client_new(&options);
}

// A copy of a text, which lies in `kept`. NULL, which is no text, stays NULL.
contextdiff_text keepText(const contextdiff_text &text, std::string &kept) {
    if (text.data == nullptr) {
        return {nullptr, 0};
    }
    kept.assign(text.data, text.length == CONTEXTDIFF_UNTIL_NUL ? strlen(text.data) : text.length);
    return lent(kept);
}

} // namespace

KeptEdit::KeptEdit(const contextdiff_edit &told) {
    // The caller may be compiled with another version of the header than the addon.
    memcpy(&edit_, &told, std::min(told.size, sizeof edit_));
    edit_.size = sizeof edit_;
    edit_.insert = keepText(told.insert, insert_);
}

KeptObservation::KeptObservation(const contextdiff_observation &told) : observation_(told) {
    observation_.from = keep(told.from, from_);
    observation_.to = keep(told.to, to_);
    observation_.pasteboard = keepText(told.pasteboard, pasteboard_);
}

const contextdiff_snapshot *KeptObservation::keep(const contextdiff_snapshot *told, Snapshot &kept) {
    if (told == nullptr) {
        return nullptr;
    }
    kept.told = *told;
    kept.told.before = keepText(told->before, kept.before);
    kept.told.selected = keepText(told->selected, kept.selected);
    kept.told.after = keepText(told->after, kept.after);
    return &kept.told;
}

Daemon::Daemon(EventLoop &loop) : client_(makeClient()) {
    if (!client_) {
        return;
    }
    waiting_ = loop.addIOEvent(contextdiff_client_fd(client_.get()), IOEventFlag::In, [this](EventSourceIO *, int, IOEventFlags) {
        contextdiff_client_process(client_.get());
        return true;
    });
}

void Daemon::post(const std::string &session, const contextdiff_observation &observation) {
    auto post = std::make_unique<Posted>(Posted{this, session});
    if (contextdiff_client_post(client_.get(), lent(session), &observation, 0, posted, post.get()) == CONTEXTDIFF_OK) {
        post.release(); // It is the callback's now.
    } else {
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
