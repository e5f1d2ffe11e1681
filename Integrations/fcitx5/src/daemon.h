#ifndef CONTEXTDIFF_FCITX5_DAEMON_H
#define CONTEXTDIFF_FCITX5_DAEMON_H

#include <contextdiff.h>

#include <fcitx-utils/event.h>

#include <memory>
#include <string>

#include "field.h"

namespace fcitx::contextdiff {

// An edit that the library took, with its text, to be told later.
class KeptEdit {
public:
    explicit KeptEdit(const contextdiff_edit &told);
    KeptEdit(const KeptEdit &) = delete;

    const contextdiff_edit &get() const { return edit_; }

private:
    contextdiff_edit edit_ = CONTEXTDIFF_EDIT_INIT;
    std::string insert_;
};

// An observation that has its texts, to be told later.
class KeptObservation {
public:
    explicit KeptObservation(const contextdiff_observation &told);
    KeptObservation(const KeptObservation &) = delete;

    const contextdiff_observation &get() const { return observation_; }

private:
    struct Snapshot {
        contextdiff_snapshot told;
        std::string before, selected, after;
    };
    static const contextdiff_snapshot *keep(const contextdiff_snapshot *told, Snapshot &kept);

    contextdiff_observation observation_;
    Snapshot from_, to_;
    std::string pasteboard_;
};

// contextdiffd, where it runs: it is told what is read, and nobody waits for its answers.
class Daemon {
public:
    explicit Daemon(EventLoop &loop);

    void post(const std::string &session, const contextdiff_observation &observation);
    void expect(const std::string &session, const contextdiff_edit &edit);
    void forget(const std::string &session);

private:
    std::unique_ptr<contextdiff_client, Freeing<contextdiff_client_free>> client_;
    std::unique_ptr<EventSourceIO> waiting_;
};

} // namespace fcitx::contextdiff

#endif
