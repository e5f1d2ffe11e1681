#include "field.h"

#include <fcitx/inputpanel.h>
#include <fcitx/surroundingtext.h>

#include <cstring>
#include <utility>

namespace fcitx::contextdiff {

namespace {

contextdiff_front_end frontEnd(InputContext &ic) {
    return isOnWayland(ic) ? CONTEXTDIFF_FRONT_END_FCITX5_WAYLAND : CONTEXTDIFF_FRONT_END_FCITX5;
}

// fcitx5 tells no toolkit, but each of its clients has capabilities that the others have not; the program's name tells browsers.
// Seen in fcitx5-qt 5.0.16, fcitx5-gtk 5.0.21; read in the source of those from 5.0.0 to 5.1.14 and from 5.0.4 to 5.1.7.
contextdiff_toolkit toolkit(InputContext &ic) {
    auto byName = contextdiff_toolkit_of({nullptr, 0}, lent(ic.program()));
    if (byName != CONTEXTDIFF_TOOLKIT_UNKNOWN || strcmp(ic.frontend(), "dbus") != 0) {
        return byName;
    }
    auto flags = ic.capabilityFlags();
    if (flags.test(CapabilityFlag::GetIMInfoOnFocus)) {
        return CONTEXTDIFF_TOOLKIT_QT;
    }
    if (flags.test(CapabilityFlag::FormattedPreedit)) {
        return flags.test(CapabilityFlag::KeyEventOrderFix) ? CONTEXTDIFF_TOOLKIT_GTK3 : CONTEXTDIFF_TOOLKIT_GTK4;
    }
    return CONTEXTDIFF_TOOLKIT_UNKNOWN;
}

// Whether what was selected may have been cut: by a key of the host's own, by a menu.
bool maybeCut(contextdiff_key key) {
    return key == CONTEXTDIFF_KEY_NOT_TOLD || key == CONTEXTDIFF_KEY_NONE || key == CONTEXTDIFF_KEY_SHORTCUT || key == CONTEXTDIFF_KEY_CUT;
}

// Whether a clipboard's text can be an observation's: with one that is too long nothing at all would be read.
bool isPasteboard(const std::string &clipboard) {
    return !clipboard.empty() && clipboard.size() <= CONTEXTDIFF_TEXT_LIMIT;
}

} // namespace

Field::Field(InputContext &ic, std::string name)
    : name_(std::move(name)), field_(contextdiff_field_new(frontEnd(ic), toolkit(ic))), session_(contextdiff_session_new(nullptr)) {}

void Field::keyComes(const Key &key) {
    hidKey_ = hidesKey_;
    hidesKey_ = hidesKey_ || contextdiff_key_class(key.sym(), key.states()) != CONTEXTDIFF_KEY_NOT_TOLD;
}

void Field::key(const Key &key) {
    contextdiff_field_key(field_.get(), key.sym(), key.states());
    dropped_.clear();
}

void Field::reset(InputContext &ic) {
    contextdiff_field_reset(field_.get());
    // At a click GTK 4 resets its input method and drops the preedit, where other toolkits commit it or leave it to the engine. As of
    // fcitx5-gtk 5.0.22, which commits it where the focus goes, the client does so here as well.
    if (toolkit(ic) == CONTEXTDIFF_TOOLKIT_GTK4 && !ic.capabilityFlags().test(CapabilityFlag::ClientUnfocusCommit)) {
        dropped_ = ic.inputPanel().clientPreedit().toStringForCommit();
    }
}

void Field::commit(const std::string &text) {
    contextdiff_field_commit(field_.get(), lent(text));
    dropped_.clear();
}

bool Field::isComposing(InputContext &ic) const {
    const auto &panel = ic.inputPanel();
    // Some engines show an empty text where they show none: Text::empty() doesn't know.
    return composition_ || !dropped_.empty() || panel.clientPreedit().textLength() > 0 || panel.preedit().textLength() > 0;
}

int64_t Field::expect(const contextdiff_edit &edit) { return contextdiff_session_expect(session_.get(), nullptr, &edit); }

int Field::read(InputContext &ic, const std::string *clipboard, Reading &reading) {
    const auto &text = ic.surroundingText();
    if (!text.isValid()) {
        return 0;
    }
    // A client tells its capabilities bit by bit after the focus.
    contextdiff_field_set_toolkit(field_.get(), toolkit(ic));
    auto &seen = reading.observation;
    auto news =
        contextdiff_field_surrounding_text(field_.get(), lent(text.text()), text.cursor(), text.anchor(), &seen);
    if (news != 1) {
        // Text and caret of different moments: the right ones follow.
        return news == CONTEXTDIFF_OUT_OF_TEXT ? 0 : news;
    }
    // After a cut the clipboard's text comes later than the host's.
    if (clipboard != nullptr && isPasteboard(*clipboard) && !(hadSelection_ && maybeCut(seen.key))) {
        seen.pasteboard = lent(*clipboard);
    }
    hadSelection_ = seen.to->selected.data != nullptr && seen.to->selected.length > 0;
    auto hidesKey = std::exchange(hidesKey_, false);
    hidKey_ = false;
    if (isComposing(ic)) {
        auto composition = composition_.value_or(Composition{0, 0});
        seen.composing = CONTEXTDIFF_YES;
        seen.composing_before = composition.before;
        seen.composing_after = composition.after;
    } else if (hidesKey && seen.key == CONTEXTDIFF_KEY_NONE) {
        // What composes takes the keys that it filters; else they may have gone to the host.
        seen.key = CONTEXTDIFF_KEY_NOT_TOLD;
    }
    if (auto status = contextdiff_session_post(session_.get(), &seen, &reading.transition); status != CONTEXTDIFF_OK) {
        return status;
    }
    if (reading.transition != nullptr) {
        lastKind_ = reading.transition->kind;
    }
    return 1;
}

} // namespace fcitx::contextdiff
