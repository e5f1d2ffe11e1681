#ifndef CONTEXTDIFF_FCITX5_FIELD_H
#define CONTEXTDIFF_FCITX5_FIELD_H

#include <contextdiff.h>

#include <fcitx/inputcontext.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

namespace fcitx::contextdiff {

template <auto free>
struct Freeing {
    template <typename Object>
    void operator()(Object *object) const {
        free(object);
    }
};

inline contextdiff_text lent(const std::string &text) { return {text.data(), text.size()}; }

inline bool isOnWayland(const InputContext &ic) { return strncmp(ic.frontend(), "wayland", strlen("wayland")) == 0; }

// An observation, and the transition that the session made of it (null where it only set the baseline). Valid until the field's next call.
struct Reading {
    contextdiff_observation observation = CONTEXTDIFF_OBSERVATION_INIT;
    const contextdiff_transition *transition = nullptr;
};

// Left and right of the caret, in Unicode scalars.
struct Composition {
    int before, after;
};

// One input context's field: what its host tells, and the session that reads it. A context has one field after another: each
// focus begins a new one.
class Field {
public:
    // `name` is the session's at the daemon.
    Field(InputContext &ic, std::string name);

    const std::string &name() const { return name_; }
    contextdiff_kind lastKind() const { return lastKind_; }

    // A key press, before any engine sees it. Where one filters it, nothing tells whether it went to the host as well.
    void keyComes(const Key &key);
    // The key press that came last was not filtered.
    void keyIsSeen() { hidesKey_ = hidKey_; }
    // A key press goes to the host.
    void key(const Key &key);
    // The host resets its input method; before the engine hears of it.
    void reset(InputContext &ic);
    int64_t expect(const contextdiff_edit &edit);
    // The engine commits a text.
    void commit(const std::string &text);
    // A preedit that was lost with the host's last reset: neither host nor engine committed it. Until the host tells its
    // text or is given a key, or another preedit comes.
    const std::string &dropped() const { return dropped_; }
    void forgetDropped() { dropped_.clear(); }

    // What the engine says of its composition in the host's text.
    void setComposition(std::optional<Composition> composition) { composition_ = composition; }

    // The host told its text, which the context holds. Returns 1: `reading` has the news; 0: nothing new; negative: it
    // can't be read, and the field is to be ended, as what comes next would be read as a change of what came before.
    // `clipboard` is its text, where it is known; it must live as long as the reading is used.
    int read(InputContext &ic, const std::string *clipboard, Reading &reading);

    // Whether something is being composed, or was until the host dropped it.
    bool isComposing(InputContext &ic) const;

    // Whether the host has told a text that is not read yet, and whether engines are hearing of the reading before: that
    // one's texts stay until all have heard it.
    bool hasNews = false, isTelling = false;

private:
    std::string name_;
    std::unique_ptr<contextdiff_field, Freeing<contextdiff_field_free>> field_;
    std::unique_ptr<contextdiff_session, Freeing<contextdiff_session_free>> session_;
    std::optional<Composition> composition_;
    std::string dropped_;
    contextdiff_kind lastKind_ = CONTEXTDIFF_KIND_UNCHANGED;
    bool hadSelection_ = false;
    // Whether a key pressed since the last news may have been filtered: the latest counts as filtered until `keyIsSeen`. And
    // the same before that key came.
    bool hidesKey_ = false, hidKey_ = false;
};

} // namespace fcitx::contextdiff

#endif
