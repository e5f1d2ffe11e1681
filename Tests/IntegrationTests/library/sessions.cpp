// The same header in C++17, held by what C++ holds things with.
#include <contextdiff.h>

#include <cstdio>
#include <memory>
#include <string>

struct Free {
  void operator()(contextdiff_session *session) const { contextdiff_session_free(session); }
  void operator()(contextdiff_field *field) const { contextdiff_field_free(field); }
};

int main() {
  std::unique_ptr<contextdiff_session, Free> session(contextdiff_session_new(nullptr));
  std::unique_ptr<contextdiff_field, Free> field(
      contextdiff_field_new(CONTEXTDIFF_FRONT_END_FCITX5, CONTEXTDIFF_TOOLKIT_GTK4));
  contextdiff_observation seen = CONTEXTDIFF_OBSERVATION_INIT;
  for (const std::string text : {"hello", "hello!"}) {
    const contextdiff_transition *done = nullptr;
    const auto end = static_cast<int64_t>(text.size());
    if (contextdiff_field_surrounding_text(field.get(), {text.data(), text.size()}, end, end, &seen) != 1) return 1;
    if (contextdiff_session_post(session.get(), &seen, &done) != CONTEXTDIFF_OK) return 1;
    if (done) std::printf("%s %s\n", contextdiff_kind_name(done->kind), std::string(done->inserted.data, done->inserted.length).c_str());
  }
}
