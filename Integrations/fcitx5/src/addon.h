#ifndef CONTEXTDIFF_FCITX5_ADDON_H
#define CONTEXTDIFF_FCITX5_ADDON_H

#include <fcitx-utils/eventdispatcher.h>
#include <fcitx-utils/handlertable.h>
#include <fcitx/addoninstance.h>
#include <fcitx/inputcontextproperty.h>
#include <fcitx/instance.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daemon.h"
#include "fcitx-module/contextdiff/contextdiff_public.h"
#include "field.h"
#include "settings.h"

namespace fcitx::contextdiff {

class ContextDiff;

// What an input context has of the addon: its field, while it has the focus and is no secret.
class Watched : public InputContextProperty {
public:
    Watched(InputContext &ic, ContextDiff &addon) : ic_(ic), addon_(addon) {}
    ~Watched() override {
        calls_.clear();
        end();
    }

    bool isSecret() const;
    // Whether it has the focus, and its text is told and no secret.
    bool isOpen() const;
    // The field, begun where there is none; null where it isn't open.
    // It lasts as long as it is held, ended or not: whoever is told what it read may end it.
    std::shared_ptr<Field> field();
    void end();

    // Makes `call` to the daemon: on Wayland at the end of the loop's turn, and not at all where the field has become a
    // password's by then; elsewhere at once.
    void tellDaemon(std::function<void(Daemon &)> call);
    void tellDaemonNow();

    // The text is to be read at the end of the loop's turn, or when something else happens, if it has the focus then.
    void putOff();
    // Whether a text was put off that can be read now; it is put off no longer.
    bool takePutOff();

private:
    InputContext &ic_;
    ContextDiff &addon_;
    std::shared_ptr<Field> field_;
    int fields_ = 0;
    bool isPutOff_ = false;
    std::vector<std::function<void(Daemon &)>> calls_;
};

// Watches every input context; readings go to engines as events, and to contextdiffd where it runs.
class ContextDiff : public AddonInstance {
public:
    explicit ContextDiff(Instance *instance);
    ~ContextDiff() override;

    const Configuration *getConfig() const override { return &settings_; }
    void setConfig(const RawConfig &config) override;
    void reloadConfig() override;

    contextdiff_kind lastKind(InputContext *ic);
    int64_t expect(InputContext *ic, const contextdiff_edit &edit);
    void setComposition(InputContext *ic, int before, int after);

    Daemon *daemon() { return daemon_ ? &*daemon_ : nullptr; }
    // At the end of the loop's turn reads what was put off, and tells the daemon.
    void settleAtTurnsEnd(InputContext &ic);
    // Reads a text that was put off. Whoever is told what it read may end the context.
    void readPutOff(InputContext &ic);

private:
    using ContextHandler = void (ContextDiff::*)(InputContext &, InputContextEvent &);

    // With `readsFirst` a text that was put off is read before what happens now.
    void watch(
        EventType type, ContextHandler handle, bool readsFirst = true, EventWatcherPhase phase = EventWatcherPhase::Default);
    void applySettings();
    std::shared_ptr<Field> field(InputContext &ic) { return ic.propertyFor(&watched_)->field(); }
    // The field, once a text that was put off is read; null too where who was told ended the context.
    std::shared_ptr<Field> fieldWithAllRead(InputContext &ic);

    void focusIn(InputContext &ic, InputContextEvent &event);
    void focusOut(InputContext &ic, InputContextEvent &event);
    void capabilityChanged(InputContext &ic, InputContextEvent &event);
    void engineChanged(InputContext &ic, InputContextEvent &event);
    void keyComes(InputContext &ic, InputContextEvent &event);
    void key(InputContext &ic, InputContextEvent &event);
    void reset(InputContext &ic, InputContextEvent &event);
    void preedit(InputContext &ic, InputContextEvent &event);
    void committed(InputContext &ic, InputContextEvent &event);
    void told(InputContext &ic, InputContextEvent &event);

    void read(InputContext &ic);
    void announce(InputContext &ic, const std::string &text, int64_t moveCaret);
    // The daemon, and engines; and does with the composition what the settings say.
    void tell(InputContext &ic, const std::shared_ptr<Field> &field, const Reading &reading);
    void endComposition(InputContext &ic, Field &field);
    std::optional<std::string> clipboard(const InputContext &ic);

    Instance *instance_;
    Settings settings_;
    std::optional<Daemon> daemon_;
    FactoryFor<Watched> watched_;
    std::vector<std::unique_ptr<HandlerTableEntry<EventHandler>>> watchers_;
    EventDispatcher turnEnd_;
    // How many texts were committed, by whichever engine.
    unsigned commits_ = 0;
    // Whether the reset is the addon's own: the host did nothing.
    bool resets_ = false;

    FCITX_ADDON_EXPORT_FUNCTION(ContextDiff, lastKind);
    FCITX_ADDON_EXPORT_FUNCTION(ContextDiff, expect);
    FCITX_ADDON_EXPORT_FUNCTION(ContextDiff, setComposition);
};

} // namespace fcitx::contextdiff

#endif
