// The daemon's client in fcitx5's event loop. An addon gets the loop from its instance; here is one of its own:
//
//     c++ -std=c++17 fcitx5-loop.cpp $(pkg-config --cflags --libs contextdiff Fcitx5Utils)
//
// As of fcitx5 5.1.13 with -std=c++20.
// An engine in fcitx5 that only wants the readings asks the addon fcitx5-contextdiff (contextdiff_public.h).
#include <contextdiff.h>
#include <fcitx-utils/event.h>

#include <iostream>
#include <string_view>

namespace {

contextdiff_client *client;

void post(std::string_view before) {
  contextdiff_snapshot snapshot = CONTEXTDIFF_SNAPSHOT_INIT;
  contextdiff_observation observation = CONTEXTDIFF_OBSERVATION_INIT;
  snapshot.before = {before.data(), before.size()};
  observation.to = &snapshot;
  contextdiff_client_post(client, CONTEXTDIFF_TEXT("example"), &observation, 0, nullptr, nullptr);
}

void heard(const contextdiff_message *message, void *data) {
  if (message->type == CONTEXTDIFF_MESSAGE_READY) {
    contextdiff_client_forget(client, CONTEXTDIFF_TEXT("example"), nullptr, nullptr);  // What another run left.
    post("今日");
    post("今日は");
  } else if (message->type == CONTEXTDIFF_MESSAGE_EVENT) {
    const auto &inserted = message->transition->inserted;
    std::cout << contextdiff_kind_name(message->transition->kind) << ' '
              << std::string_view(inserted.data, inserted.length) << std::endl;
    static_cast<fcitx::EventLoop *>(data)->exit();
  } else if (message->type == CONTEXTDIFF_MESSAGE_DISCONNECTED) {
    std::cerr << "no daemon answers yet" << std::endl;
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
  const contextdiff_text session = CONTEXTDIFF_TEXT("example");
  contextdiff_subscription subscription = CONTEXTDIFF_SUBSCRIPTION_INIT;
  subscription.sessions = &session;
  subscription.session_count = 1;
  contextdiff_client_subscribe(client, &subscription, heard, &loop);
  loop.exec();
  source.reset();  // Before the descriptor is closed.
  contextdiff_client_free(client);
}
