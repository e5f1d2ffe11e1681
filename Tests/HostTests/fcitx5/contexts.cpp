// An fcitx5 with the addon and one input context, whose host does what the lines of standard input say; started by test_addon.py.
// Each line is a word and its arguments, between tabs. Standard output has what came of it, as lines of the same kind.

#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fcitx-config/rawconfig.h>
#include <fcitx-utils/event.h>
#include <fcitx-utils/eventdispatcher.h>
#include <fcitx/addonmanager.h>
#include <fcitx/inputcontext.h>
#include <fcitx/inputcontextmanager.h>
#include <fcitx/inputpanel.h>
#include <fcitx/instance.h>

#include <fcitx-module/contextdiff/contextdiff_public.h>

FCITX_ADDON_DECLARE_FUNCTION(Clipboard, setClipboard, void(const std::string &name, const std::string &text));

namespace {

using namespace fcitx;

class Host : public InputContext {
public:
    explicit Host(InputContextManager &manager) : InputContext(manager, "host") {
        created();
        setCapabilityFlags(flags_);
        focusIn();
    }
    ~Host() override { destroy(); }

    const char *frontend() const override { return frontEnd_.c_str(); }
    void setFrontEnd(const std::string &name) { frontEnd_ = name; }
    void tell(const std::string &text, unsigned caret) {
        surroundingText().setText(text, caret, caret);
        updateSurroundingText();
    }
    void compose(const std::string &text) {
        inputPanel().setClientPreedit(Text(text));
        updatePreedit();
    }
    // As engines do where the host shows no preedit.
    void composeInPanel(const std::string &text) {
        inputPanel().setPreedit(Text(text));
        updateUserInterface(UserInterfaceComponent::InputPanel);
    }
    // As GTK 4 does at a click: what was composed is gone.
    void drop() {
        reset();
        inputPanel().reset();
        updatePreedit();
    }
    void press(const std::string &name) {
        KeyEvent event(this, Key(name));
        keyEvent(event);
    }
    void hide(bool isHidden) { setCapabilityFlags(isHidden ? flags_ | CapabilityFlag::Password : flags_); }
    // What its client says of itself besides what fcitx5-gtk 5.0.21 says in GTK 4.
    void claim(uint64_t flags) {
        flags_ |= CapabilityFlags(flags);
        setCapabilityFlags(flags_);
    }

protected:
    void commitStringImpl(const std::string &text) override { std::cout << "commit\t" << text << "\n"; }
    void deleteSurroundingTextImpl(int, unsigned) override {}
    void forwardKeyImpl(const ForwardKeyEvent &) override {}
    void updatePreeditImpl() override {}

private:
    std::string frontEnd_ = "dbus";
    CapabilityFlags flags_{CapabilityFlag::SurroundingText, CapabilityFlag::FormattedPreedit, CapabilityFlag::Preedit};
};

class Run {
public:
    explicit Run(Instance &instance) : instance_(instance) {
        host_.emplace(instance.inputContextManager());
        // In the engine's place.
        watchers_.push_back(
            instance.watchEvent(EventType::InputContextKeyEvent, EventWatcherPhase::InputMethod, [this](Event &event) {
                if (fate_.find("filter") != std::string::npos) {
                    static_cast<KeyEvent &>(event).filter();
                }
                if (fate_.find("accept") != std::string::npos) {
                    event.accept();
                }
            }));
    }

    // Does what the lines say that standard input has now. Returns whether more may come.
    bool play() {
        if (turn_) {
            return true;
        }
        char piece[4096];
        auto count = read(STDIN_FILENO, piece, sizeof piece);
        if (count <= 0) {
            return false;
        }
        received_.append(piece, static_cast<size_t>(count));
        playReceived();
        return true;
    }

private:
    // Does what the lines received say, up to one that ends the loop's turn.
    void playReceived() {
        size_t end;
        while (!turn_ && (end = received_.find('\n')) != std::string::npos) {
            std::stringstream words(received_.substr(0, end));
            received_.erase(0, end + 1);
            std::string act, first, second, third;
            std::getline(std::getline(std::getline(std::getline(words, act, '\t'), first, '\t'), second, '\t'), third);
            play(act, first, second, third);
        }
    }

    void play(const std::string &act, const std::string &first, const std::string &second, const std::string &third) {
        if (act == "tell") {
            host_->tell(first, std::stoul(second));
        } else if (act == "turn") {
            auto soon = now(CLOCK_MONOTONIC) + 1000;
            turn_ = instance_.eventLoop().addTimeEvent(CLOCK_MONOTONIC, soon, 0, [this](EventSourceTime *, uint64_t) {
                auto over = std::move(turn_);
                playReceived();
                return true;
            });
        } else if (act == "front") {
            host_->setFrontEnd(first);
        } else if (act == "compose in panel") {
            host_->composeInPanel(first);
        } else if (act == "enter") {
            host_->focusIn();
        } else if (act == "compose") {
            host_->compose(first);
        } else if (act == "drop") {
            host_->drop();
        } else if (act == "key") {
            fate_ = second;
            host_->press(first);
        } else if (act == "password") {
            host_->hide(first == "yes");
        } else if (act == "claim") {
            host_->claim(std::stoull(first));
        } else if (act == "leave") {
            host_->focusOut();
        } else if (act == "copy") {
            instance_.addonManager().addon("clipboard", true)->call<IClipboard::setClipboard>("", first);
        } else if (act == "set") {
            RawConfig settings;
            settings.setValueByPath(first, second);
            instance_.addonManager().addon("contextdiff", true)->setConfig(settings);
        } else if (act == "watch") {
            watch(first);
        } else if (act == "composition") {
            auto *addon = instance_.addonManager().addon("contextdiff", true);
            addon->call<IContextDiff::setComposition>(&*host_, std::stoi(first), std::stoi(second));
        } else if (act == "expect") {
            expect(first, std::stol(second), third);
        } else if (act == "last kind") {
            auto kind = instance_.addonManager().addon("contextdiff", true)->call<IContextDiff::lastKind>(&*host_);
            std::cout << contextdiff_kind_name(kind) << "\n";
        }
    }

    // `form`: how the caller writes the edit, where not by the header's initialiser with a counted text.
    void expect(const std::string &insert, long deleteBackward, const std::string &form) {
        // As of a caller that was compiled with a later header, whose struct goes on.
        struct {
            contextdiff_edit edit = CONTEXTDIFF_EDIT_INIT;
            uint64_t later[4] = {};
        } written;
        auto &edit = written.edit;
        edit.insert = {insert.data(), insert.size()};
        edit.delete_backward = deleteBackward;
        if (form == "until NUL") {
            edit.insert = CONTEXTDIFF_TEXT(insert.c_str());
        } else if (form == "NULL") {
            // With a length, which is not looked at.
            edit.insert = {nullptr, SIZE_MAX / 2};
        } else if (form == "later" || form == "unknown") {
            edit.size = sizeof written;
            written.later[3] = form == "unknown";
        }
        auto number = instance_.addonManager().addon("contextdiff", true)->call<IContextDiff::expect>(&*host_, edit);
        std::cout << number << "\t" << (number < 0 ? contextdiff_last_error() : "") << "\n";
    }

    void watch(const std::string &meanwhile) {
        auto handle = [this, meanwhile](Event &event) {
            if (meanwhile == "leaving") {
                host_->focusOut();
            } else if (meanwhile == "ending") {
                host_.reset();
            } else if (meanwhile == "telling" && host_->surroundingText().text() != "other") {
                host_->tell("other", 5);
            } else if (meanwhile == "accepting") {
                event.accept();
            }
            const auto &happened = static_cast<ContextDiffTransitionEvent &>(event).transition();
            std::cout << contextdiff_kind_name(happened.kind) << "\t"
                      << std::string(happened.inserted.data ? happened.inserted.data : "", happened.inserted.length) << "\n";
        };
        watchers_.push_back(instance_.watchEvent(ContextDiffTransition, EventWatcherPhase::Default, handle));
    }

    Instance &instance_;
    std::string received_;
    // Where the loop's turn is to end before more is done.
    std::unique_ptr<EventSourceTime> turn_;
    // What becomes of a key: accepted, filtered, both, or neither.
    std::string fate_;
    std::vector<std::unique_ptr<HandlerTableEntry<EventHandler>>> watchers_;
    // None any more, once a handler has ended it.
    std::optional<Host> host_;
};

} // namespace

int main() {
    char name[] = "contexts", none[] = "--disable=all", two[] = "--enable=contextdiff,clipboard", ui[] = "--ui=none";
    char *arguments[] = {name, none, two, ui, nullptr};
    Instance instance(4, arguments);
    instance.addonManager().registerDefaultLoader(nullptr);
    EventDispatcher dispatcher;
    dispatcher.attach(&instance.eventLoop());
    std::optional<Run> run;
    std::unique_ptr<EventSourceIO> lines;
    // The addons are there once the loop runs.
    dispatcher.schedule([&] {
        run.emplace(instance);
        lines = instance.eventLoop().addIOEvent(STDIN_FILENO, IOEventFlag::In, [&](EventSourceIO *, int, IOEventFlags) {
            if (!run->play()) {
                run.reset();
                lines->setEnabled(false);
                instance.exit();
            }
            return true;
        });
    });
    auto status = instance.exec();
    dispatcher.detach();
    return status;
}
