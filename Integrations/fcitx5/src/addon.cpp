#include "addon.h"

#include <fcitx-config/iniparser.h>
#include <fcitx-utils/capabilityflags.h>
#include <fcitx-utils/utf8.h>
#include <fcitx/addonfactory.h>
#include <fcitx/addonmanager.h>
#include <fcitx/inputcontextmanager.h>
#include <fcitx/inputpanel.h>

#include <cstdio>
#include <utility>

#ifdef HAVE_CLIPBOARD
#include <clipboard_public.h>
#endif

namespace fcitx::contextdiff {

namespace {

constexpr char settingsFile[] = "conf/contextdiff.conf";

// Says nothing of program, window or person: fcitx5 draws the identifier at random.
std::string sessionName(const InputContext &ic, int number) {
    std::string name = "fcitx5-";
    for (auto byte : ic.uuid()) {
        char hexadecimal[3];
        snprintf(hexadecimal, sizeof hexadecimal, "%02x", byte);
        name += hexadecimal;
    }
    return name + "-" + std::to_string(number);
}

} // namespace

bool Watched::isSecret() const { return ic_.capabilityFlags().testAny(CapabilityFlag::PasswordOrSensitive); }

bool Watched::isOpen() const {
    return ic_.hasFocus() && ic_.capabilityFlags().test(CapabilityFlag::SurroundingText) && !isSecret();
}

std::shared_ptr<Field> Watched::field() {
    if (!isOpen()) {
        end();
        return nullptr;
    }
    if (!field_) {
        field_ = std::make_shared<Field>(ic_, sessionName(ic_, ++fields_));
    }
    return field_;
}

void Watched::putOff() {
    if (!std::exchange(isPutOff_, true)) {
        addon_.settleAtTurnsEnd(ic_);
    }
}

bool Watched::takePutOff() { return std::exchange(isPutOff_, false) && ic_.hasFocus(); }

void Watched::end() {
    if (!field_) {
        return;
    }
    tellDaemonNow();
    if (auto *daemon = addon_.daemon()) {
        daemon->forget(field_->name());
    }
    field_.reset();
}

void Watched::tellDaemon(std::function<void(Daemon &)> call) {
    auto *daemon = addon_.daemon();
    if (daemon == nullptr) {
        return;
    }
    if (!isOnWayland(ic_)) {
        call(*daemon);
        return;
    }
    calls_.push_back(std::move(call));
    addon_.settleAtTurnsEnd(ic_);
}

void Watched::tellDaemonNow() {
    auto calls = std::exchange(calls_, {});
    if (calls.empty() || isSecret() || addon_.daemon() == nullptr) {
        return;
    }
    for (auto &call : calls) {
        call(*addon_.daemon());
    }
}

ContextDiff::ContextDiff(Instance *instance)
    : instance_(instance), watched_([this](InputContext &ic) { return new Watched(ic, *this); }) {
    turnEnd_.attach(&instance_->eventLoop());
    reloadConfig();
    instance_->inputContextManager().registerProperty("contextdiff", &watched_);
    watch(EventType::InputContextFocusIn, &ContextDiff::focusIn, false);
    watch(EventType::InputContextFocusOut, &ContextDiff::focusOut, false);
    watch(EventType::InputContextCapabilityChanged, &ContextDiff::capabilityChanged, false);
    watch(EventType::InputContextKeyEvent, &ContextDiff::keyComes, true, EventWatcherPhase::PreInputMethod);
    // What an engine filtered doesn't come so far.
    watch(EventType::InputContextKeyEvent, &ContextDiff::key);
    watch(EventType::InputContextForwardKey, &ContextDiff::key);
    watch(EventType::InputContextSwitchInputMethod, &ContextDiff::engineChanged);
    watch(EventType::InputContextReset, &ContextDiff::reset, true, EventWatcherPhase::PreInputMethod);
    watch(EventType::InputContextUpdatePreedit, &ContextDiff::preedit);
    watch(EventType::InputContextCommitString, &ContextDiff::committed);
#ifdef HAVE_COMMIT_WITH_CURSOR
    watch(EventType::InputContextCommitStringWithCursor, &ContextDiff::committed);
#endif
    watch(EventType::InputContextSurroundingTextUpdated, &ContextDiff::told, false);
}

// Unregistering ends each context's field, which has the daemon forget its session.
ContextDiff::~ContextDiff() {
    watchers_.clear();
    watched_.unregister();
}

void ContextDiff::setConfig(const RawConfig &config) {
    settings_.load(config, true);
    safeSaveAsIni(settings_, settingsFile);
    applySettings();
}

void ContextDiff::reloadConfig() {
    readAsIni(settings_, settingsFile);
    applySettings();
}

void ContextDiff::applySettings() {
    if (!*settings_.tellDaemon) {
        if (daemon_) {
            // What the daemon was told it is to forget, and what comes after it must not be read as a change of it.
            instance_->inputContextManager().foreach([this](InputContext *ic) {
                ic->propertyFor(&watched_)->end();
                return true;
            });
        }
        daemon_.reset();
    } else if (!daemon_) {
        daemon_.emplace(instance_->eventLoop());
    }
}

contextdiff_kind ContextDiff::lastKind(InputContext *ic) {
    auto field = fieldWithAllRead(*ic);
    return field ? field->lastKind() : CONTEXTDIFF_KIND_UNCHANGED;
}

int64_t ContextDiff::expect(InputContext *ic, const contextdiff_edit &edit) {
    auto field = fieldWithAllRead(*ic);
    if (!field) {
        // An empty session has the words for it, too.
        std::unique_ptr<contextdiff_session, Freeing<contextdiff_session_free>> none(contextdiff_session_new(nullptr));
        return contextdiff_session_expect(none.get(), nullptr, &edit);
    }
    // The library checks what the caller wrote; the daemon is told what it takes.
    auto number = field->expect(edit);
    if (number > 0) {
        auto kept = std::make_shared<KeptEdit>(edit);
        ic->propertyFor(&watched_)->tellDaemon(
            [name = field->name(), kept](Daemon &daemon) { daemon.expect(name, kept->get()); });
    }
    return number;
}

void ContextDiff::setComposition(InputContext *ic, int before, int after) {
    if (auto field = this->field(*ic)) {
        field->setComposition(before < 0 || after < 0 ? std::nullopt : std::optional(Composition{before, after}));
    }
}

void ContextDiff::watch(EventType type, ContextHandler handle, bool readsFirst, EventWatcherPhase phase) {
    watchers_.push_back(instance_->watchEvent(type, phase, [this, handle, readsFirst](Event &event) {
        auto &told = static_cast<InputContextEvent &>(event);
        auto &ic = *told.inputContext();
        auto alive = ic.watch();
        if (readsFirst) {
            readPutOff(ic);
        }
        if (alive.isValid()) {
            (this->*handle)(ic, told);
        }
    }));
}

// Between two focuses anything may have happened, perhaps in another field.
void ContextDiff::focusIn(InputContext &ic, InputContextEvent &) { ic.propertyFor(&watched_)->end(); }

void ContextDiff::focusOut(InputContext &ic, InputContextEvent &) { ic.propertyFor(&watched_)->end(); }

// A field may become a secret while it has the focus.
void ContextDiff::capabilityChanged(InputContext &ic, InputContextEvent &) {
    auto *watched = ic.propertyFor(&watched_);
    if (!watched->isOpen()) {
        watched->end();
    }
}

// The composition that the engine before this one told of went with it.
void ContextDiff::engineChanged(InputContext &ic, InputContextEvent &) { setComposition(&ic, -1, -1); }

void ContextDiff::keyComes(InputContext &ic, InputContextEvent &event) {
    auto &key = static_cast<KeyEventBase &>(event);
    auto field = key.isRelease() ? nullptr : this->field(ic);
    if (field) {
        field->keyComes(key.rawKey());
    }
}

void ContextDiff::key(InputContext &ic, InputContextEvent &event) {
    auto &key = static_cast<KeyEventBase &>(event);
    auto field = key.isRelease() ? nullptr : this->field(ic);
    if (!field) {
        return;
    }
    if (event.type() == EventType::InputContextKeyEvent) {
        field->keyIsSeen();
    }
    // One that was accepted without being filtered comes so far, and goes no further.
    if (!key.accepted()) {
        field->key(key.rawKey());
    }
}

void ContextDiff::reset(InputContext &ic, InputContextEvent &) {
    if (resets_) {
        return;
    }
    if (auto field = this->field(ic)) {
        field->reset(ic);
    }
}

void ContextDiff::preedit(InputContext &ic, InputContextEvent &) {
    auto field = this->field(ic);
    if (field && ic.inputPanel().clientPreedit().textLength() > 0) {
        field->forgetDropped();
    }
}

void ContextDiff::committed(InputContext &ic, InputContextEvent &event) {
    ++commits_;
#ifdef HAVE_COMMIT_WITH_CURSOR
    if (event.type() == EventType::InputContextCommitStringWithCursor) {
        auto &commit = static_cast<CommitStringWithCursorEvent &>(event);
        announce(ic, commit.text(), static_cast<int64_t>(commit.cursor()) - static_cast<int64_t>(utf8::length(commit.text())));
        return;
    }
#endif
    announce(ic, static_cast<CommitStringEvent &>(event).text(), 0);
}

void ContextDiff::announce(InputContext &ic, const std::string &text, int64_t moveCaret) {
    auto field = this->field(ic);
    if (!field) {
        return;
    }
    field->commit(text);
    contextdiff_edit edit = CONTEXTDIFF_EDIT_INIT;
    edit.insert = lent(text);
    edit.move_caret = moveCaret;
    edit.unit = CONTEXTDIFF_UNIT_SCALARS;
    expect(&ic, edit);
}

void ContextDiff::told(InputContext &ic, InputContextEvent &) {
    // Wayland tells the text before it says that the field is a secret, or has the focus.
    if (isOnWayland(ic)) {
        ic.propertyFor(&watched_)->putOff();
        // What ends a composition is to reach the host in this turn: what fcitx5 before 5.0.22 sends later waits for the
        // compositor's next event.
        auto field = this->field(ic);
        if (!field || !field->isComposing(ic)) {
            return;
        }
    }
    read(ic);
}

void ContextDiff::settleAtTurnsEnd(InputContext &ic) {
    turnEnd_.schedule([this, alive = ic.watch()] {
        if (alive.isValid()) {
            readPutOff(*alive.get());
        }
        if (alive.isValid()) {
            alive.get()->propertyFor(&watched_)->tellDaemonNow();
        }
    });
}

void ContextDiff::readPutOff(InputContext &ic) {
    if (ic.propertyFor(&watched_)->takePutOff()) {
        read(ic);
    }
}

std::shared_ptr<Field> ContextDiff::fieldWithAllRead(InputContext &ic) {
    auto alive = ic.watch();
    readPutOff(ic);
    return alive.isValid() ? field(ic) : nullptr;
}

void ContextDiff::read(InputContext &ic) {
    auto field = this->field(ic);
    if (!field) {
        return;
    }
    auto alive = ic.watch();
    field->hasNews = true;
    while (alive.isValid() && field->hasNews && !field->isTelling && this->field(ic) == field) {
        field->hasNews = false;
        auto copied = clipboard(ic);
        Reading reading;
        auto news = field->read(ic, copied ? &*copied : nullptr, reading);
        if (news < 0) {
            ic.propertyFor(&watched_)->end();
        } else if (news == 1) {
            tell(ic, field, reading);
        }
        field->forgetDropped();
    }
}

void ContextDiff::tell(InputContext &ic, const std::shared_ptr<Field> &field, const Reading &reading) {
    if (daemon_) {
        auto observation = reading.observation;
        // What is copied may be a password, and fcitx5 tells no addon so: only what was pasted here goes farther.
        if (reading.transition == nullptr || reading.transition->kind != CONTEXTDIFF_KIND_PASTE) {
            observation.pasteboard = {};
        }
        auto kept = std::make_shared<KeptObservation>(observation);
        ic.propertyFor(&watched_)->tellDaemon([name = field->name(), kept](Daemon &daemon) { daemon.post(name, kept->get()); });
    }
    if (reading.transition == nullptr) {
        return;
    }
    // Not by an edit: a host that tells half of the engine's own must not end what is being composed.
    auto isLeft = reading.transition->leaves_composition == CONTEXTDIFF_YES &&
                  contextdiff_kind_is_move(reading.transition->kind);
    ContextDiffTransitionEvent event(&ic, *reading.transition);
    auto alive = ic.watch();
    field->isTelling = true;
    instance_->postEvent(event);
    field->isTelling = false;
    // Whoever handled it may have ended the field: by taking the focus, hiding the text, or ending the context itself.
    if (!event.accepted() && isLeft && alive.isValid() && this->field(ic) == field) {
        endComposition(ic, *field);
    }
}

void ContextDiff::endComposition(InputContext &ic, Field &field) {
    auto wish = *settings_.leftComposition;
    if (wish == LeftComposition::Keep) {
        return;
    }
    auto &panel = ic.inputPanel();
    // It is shown in the panel where the host shows none.
    auto preedit = panel.clientPreedit().textLength() > 0 ? panel.clientPreedit().toStringForCommit()
                   : panel.preedit().textLength() > 0     ? panel.preedit().toStringForCommit()
                                                          : field.dropped();
    auto commits = commits_;
    auto alive = ic.watch();
    resets_ = true;
    ic.reset();
    resets_ = false;
    // Some engines commit of their own accord when they are reset.
    if (!alive.isValid() || commits != commits_) {
        return;
    }
    panel.reset();
    ic.updatePreedit();
    ic.updateUserInterface(UserInterfaceComponent::InputPanel);
    if (wish == LeftComposition::Commit && !preedit.empty()) {
        ic.commitString(preedit);
    }
}

std::optional<std::string> ContextDiff::clipboard(const InputContext &ic) {
#ifdef HAVE_CLIPBOARD
    if (*settings_.useClipboard) {
        if (auto *addon = instance_->addonManager().addon("clipboard")) {
            return addon->call<IClipboard::clipboard>(&ic);
        }
    }
#else
    (void)ic;
#endif
    return std::nullopt;
}

namespace {

class Factory : public AddonFactory {
public:
    AddonInstance *create(AddonManager *manager) override { return new ContextDiff(manager->instance()); }
};

} // namespace

} // namespace fcitx::contextdiff

FCITX_ADDON_FACTORY(fcitx::contextdiff::Factory)
