// The daemon's client in fcitx5's event loop. An addon gets the loop from its instance; here is one of its own:
//
//     c++ -std=c++17 fcitx5-loop.cpp $(pkg-config --cflags --libs contextdiff Fcitx5Utils)
//
// As of fcitx5 5.1.13 with -std=c++20. An engine that only wants the readings asks the addon fcitx5-contextdiff (contextdiff_public.h).
#include <contextdiff.h>
#include <fcitx-utils/event.h>
#include <unistd.h>

#include <iostream>
#include <string>

namespace {

contextdiff_client *client;
const std::string name = "example-" + std::to_string(getpid());  // One field's, and no other process's.
const contextdiff_text session = CONTEXTDIFF_TEXT(name.c_str());

void post(std::string_view before) {
  contextdiff_snapshot snapshot = CONTEXTDIFF_SNAPSHOT_INIT;
  contextdiff_observation observation = CONTEXTDIFF_OBSERVATION_INIT;
  snapshot.before = {before.data(), before.size()};
  observation.to = &snapshot;
  contextdiff_client_post(client, session, &observation, 0, nullptr, nullptr);
}

void heard(const contextdiff_message *message, void *data) {
  if (message->type == CONTEXTDIFF_MESSAGE_READY) {
    for (auto text : {"今日", "今日は"}) post(text);
  } else if (message->type == CONTEXTDIFF_MESSAGE_EVENT) {
    const auto &inserted = message->transition->inserted;
    std::cout << contextdiff_kind_name(message->transition->kind) << ' '
              << std::string_view(inserted.data, inserted.length) << std::endl;
    contextdiff_client_forget(client, session, nullptr, nullptr);  // The field, or its focus, is gone.
    static_cast<fcitx::EventLoop *>(data)->exit();
  } else if (message->type == CONTEXTDIFF_MESSAGE_DISCONNECTED) {
    std::cerr << contextdiff_last_error() << std::endl;
  }
}

}  // namespace

int main() {
  fcitx::EventLoop loop;
  client = contextdiff_client_new(nullptr);
  if (client == nullptr) return 1;
  auto source = loop.addIOEvent(
      contextdiff_client_fd(client), fcitx::IOEventFlag::In, [](fcitx::EventSourceIO *, int, fcitx::IOEventFlags) {
        contextdiff_client_process(client);
        return true;
      });
  contextdiff_subscription subscription = CONTEXTDIFF_SUBSCRIPTION_INIT;
  subscription.sessions = &session;
  subscription.session_count = 1;
  contextdiff_client_subscribe(client, &subscription, heard, &loop);
  loop.exec();
  source.reset();  // Before the descriptor is closed.
  contextdiff_client_free(client);
}
