/*
 * What happened around the caret of an input context, for engines and modules of fcitx5.
 *
 * Two ways to it. The event, for who wants each transition as it is read, in the middle of the context's own events:
 *
 *     watcher_ = instance->watchEvent(
 *         fcitx::ContextDiffTransition, fcitx::EventWatcherPhase::Default, [this](fcitx::Event &event) {
 *             auto &happened = static_cast<fcitx::ContextDiffTransitionEvent &>(event);
 *             if (happened.inputContext() != composing_) return;  // Those of all contexts come here.
 *             if (happened.transition().kind == CONTEXTDIFF_KIND_OUT_OF_RANGE_TAP) { ... }
 *         });
 *
 * And the addon's functions, for who asks:
 *
 *     if (auto *contextdiff = instance->addonManager().addon("contextdiff", true)) {
 *         auto kind = contextdiff->call<fcitx::IContextDiff::lastKind>(ic);
 *     }
 *
 * It lies in Fcitx5/Module below the prefix's include folder, and needs contextdiff.h at compile time. An engine that calls any of
 * libcontextdiff's functions, such as contextdiff_kind_name, links it (pkg-config contextdiff): without that fcitx5 ends at the call.
 * In CMake:
 *
 *     find_package(PkgConfig REQUIRED)
 *     pkg_check_modules(ContextDiff REQUIRED IMPORTED_TARGET contextdiff)
 *     find_path(ContextDiffModule fcitx-module/contextdiff/contextdiff_public.h PATH_SUFFIXES Fcitx5/Module)
 *     target_include_directories(engine PRIVATE ${ContextDiffModule})
 *     target_link_libraries(engine PRIVATE Fcitx5::Core PkgConfig::ContextDiff)
 *
 * Password and sensitive fields have no transitions.
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
///
/// On Wayland this and `expect` may first read a text that was put off: the event's handlers, the caller's own too, run before they
/// return, and one may end the context.
FCITX_ADDON_DECLARE_FUNCTION(ContextDiff, lastKind, contextdiff_kind(fcitx::InputContext *ic));

/// Announces an edit that the engine makes in another way than by commitString, which is announced by itself. To be called before
/// the edit. deleteSurroundingText counts characters, where an edit counts graphemes if nothing else is said:
///
///     contextdiff_edit edit = CONTEXTDIFF_EDIT_INIT;
///     edit.delete_backward = 2;
///     edit.unit = CONTEXTDIFF_UNIT_SCALARS;
///     contextdiff->call<fcitx::IContextDiff::expect>(ic, edit);
///     ic->deleteSurroundingText(-2, 2);
///
/// Returns its number in the context's session, or a negative contextdiff_status: CONTEXTDIFF_NO_BASELINE where the context has no
/// focus, has told no text yet, is a password's or a sensitive one, or was ended by a handler meanwhile. The edit's text is to stay
/// while handlers run, as `lastKind` says.
FCITX_ADDON_DECLARE_FUNCTION(ContextDiff, expect, int64_t(fcitx::InputContext *ic, const contextdiff_edit &edit));

/// Says how much of the text that the host shows is being composed left and right of the caret, in Unicode scalars, for an
/// engine that composes in the host's own text. Holds until it is said anew, another engine takes over, or the focus goes;
/// negative values end it. An engine with a preedit need not say anything: the addon sees the preedit itself.
FCITX_ADDON_DECLARE_FUNCTION(ContextDiff, setComposition, void(fcitx::InputContext *ic, int before, int after));

#endif
