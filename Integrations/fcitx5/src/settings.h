#ifndef CONTEXTDIFF_FCITX5_SETTINGS_H
#define CONTEXTDIFF_FCITX5_SETTINGS_H

#include <fcitx-config/configuration.h>
#include <fcitx-config/enum.h>
#include <fcitx-config/option.h>
#include <fcitx-utils/i18n.h>

namespace fcitx::contextdiff {

// What becomes of a preedit when the caret was moved out of it.
enum class LeftComposition { Keep, Commit, Reset };
FCITX_CONFIG_ENUM_NAME_WITH_I18N(LeftComposition, N_("Keep"), N_("Commit"), N_("Reset"));

FCITX_CONFIGURATION(
    Settings,
    // Keep is fcitx5's own way: in GTK the preedit then follows the caret.
    OptionWithAnnotation<LeftComposition, LeftCompositionI18NAnnotation> leftComposition{
        this, "LeftComposition", _("What to do with a composition that the caret left"), LeftComposition::Keep};
    Option<bool> tellDaemon{this, "TellDaemon", _("Tell contextdiffd, and whoever listens there, what is read"), true};
    Option<bool> useClipboard{this, "UseClipboard", _("Tell pasted from typed text by the clipboard"), true};);

} // namespace fcitx::contextdiff

#endif
