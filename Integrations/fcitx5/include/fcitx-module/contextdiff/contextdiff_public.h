/*
 * What happened around the caret of an input context, for engines and modules of fcitx5.
 *
 * Two ways to it. The event, for who wants each transition as it is read, in the middle of the context's own events:
 *
 *     watcher_ = instance->watchEvent(
 *         fcitx::ContextDiffTransition, fcitx::EventWatcherPhase::Default, [this](fcitx::Event &event) {
 *             auto &happened = static_cast<fcitx::ContextDiffTransitionEvent &>(event);
 *             if (happened.transition().kind == CONTEXTDIFF_KIND_OUT_OF_RANGE_TAP) { ... }
 *         });
 *
 * And the addon's functions, for who asks:
 *
 *     if (auto *contextdiff = instance->addonManager().addon("contextdiff", true)) {
 *         auto kind = contextdiff->call<fcitx::IContextDiff::lastKind>(ic);
 *     }
 *
 * Needs contextdiff.h at compile time and nothing at link time. Password and sensitive fields have no transitions.
 */
#ifndef FCITX_MODULE_CONTEXTDIFF_CONTEXTDIFF_PUBLIC_H
#define FCITX_MODULE_CONTEXTDIFF_CONTEXTDIFF_PUBLIC_H

#include <contextdiff.h>
#include <fcitx/addoninstance.h>
#include <fcitx/event.h>
#include <fcitx/inputcontext.h>

namespace fcitx {

/// The type of ContextDiffTransitionEvent: one of fcitx5's user types.
inline constexpr EventType ContextDiffTransition = static_cast<EventType>(
    static_cast<uint32_t>(EventType::UserTypeFlag) | static_cast<uint32_t>(EventType::InputContextEventFlag) | 0xCD);

/// A transition was read. It comes when the host tells its text, before the key that made the host tell it.
class ContextDiffTransitionEvent : public InputContextEvent {
public:
    ContextDiffTransitionEvent(InputContext *ic, const contextdiff_transition &transition)
        : InputContextEvent(ic, ContextDiffTransition), transition_(transition) {}

    /// What happened; valid while the event is handled. Its texts are the person's: not for logs.
    const contextdiff_transition &transition() const { return transition_; }

    /// accept() says that the composition was dealt with: the addon then leaves it alone, whatever its settings say.

private:
    const contextdiff_transition &transition_;
};

} // namespace fcitx

/// The context's last transition by its kind; CONTEXTDIFF_KIND_UNCHANGED where there was none since the focus came.
FCITX_ADDON_DECLARE_FUNCTION(ContextDiff, lastKind, contextdiff_kind(fcitx::InputContext *ic));

/// Announces an edit that the engine makes in another way than by commitString, which is announced by itself: a
/// deleteSurroundingText, say. To be called before the edit. Returns its number in the context's session, or a negative
/// contextdiff_status.
FCITX_ADDON_DECLARE_FUNCTION(ContextDiff, expect, int64_t(fcitx::InputContext *ic, const contextdiff_edit &edit));

/// Says how much of the text that the host shows is being composed left and right of the caret, in Unicode scalars, for an
/// engine that composes in the host's own text. Holds until it is said anew, or the focus goes; negative values end it. An engine
/// with a preedit need not say anything: that one is composing, between what the host shows, is seen.
FCITX_ADDON_DECLARE_FUNCTION(ContextDiff, setComposition, void(fcitx::InputContext *ic, int before, int after));

#endif
