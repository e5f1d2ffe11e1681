#ifndef CONTEXTDIFF_FCITX5_DAEMON_H
#define CONTEXTDIFF_FCITX5_DAEMON_H

#include <contextdiff.h>

#include <fcitx-utils/event.h>

#include <memory>
#include <string>

#include "field.h"

namespace fcitx::contextdiff {

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
