// An fcitx5 engine that does what it is told and tells all that it sees; started by method.Fcitx5. Orders and reports are those of
// ibus_engine.py.

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <fcitx-utils/event.h>
#include <fcitx-utils/eventdispatcher.h>
#include <fcitx/addonfactory.h>
#include <fcitx/addonmanager.h>
#include <fcitx/inputcontext.h>
#include <fcitx/inputmethodengine.h>
#include <fcitx/inputpanel.h>
#include <fcitx/instance.h>

#include <fcitx-module/contextdiff/contextdiff_public.h>

namespace {

using namespace fcitx;

std::string quoted(const std::string &text) {
    std::string json = "\"";
    for (unsigned char byte : text) {
        if (byte == '"' || byte == '\\') {
            json += '\\';
            json += static_cast<char>(byte);
        } else if (byte < 0x20) {
            char escape[8];
            snprintf(escape, sizeof escape, "\\u%04x", byte);
            json += escape;
        } else {
            json += static_cast<char>(byte);
        }
    }
    return json + "\"";
}

// One JSON object, closed when it is told.
class Report {
public:
    explicit Report(const char *event) : json_(std::string("{\"e\":\"") + event + "\"") {
        timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        char time[40];
        snprintf(time, sizeof time, ",\"t\":%lld.%06ld", static_cast<long long>(now.tv_sec), now.tv_nsec / 1000);
        json_ += time;
    }
    Report &text(const char *name, const std::string &value) { return raw(name, quoted(value)); }
    Report &number(const char *name, long long value) { return raw(name, std::to_string(value)); }
    Report &flag(const char *name, bool value) { return raw(name, value ? "true" : "false"); }
    Report &raw(const char *name, const std::string &value) {
        json_ += std::string(",\"") + name + "\":" + value;
        return *this;
    }
    std::string line() const { return json_ + "}\n"; }

private:
    std::string json_;
};

// What this thread did since: how long it computed, and how often it let go of the processor, to wait for something.
class Effort {
public:
    void begin() {
        seconds_ = now();
        waits_ = waits();
    }
    Report &addTo(Report &report) const {
        char seconds[40];
        snprintf(seconds, sizeof seconds, "%.9f", now() - seconds_);
        return report.raw("computed", seconds).number("waited", waits() - waits_);
    }

private:
    static double now() {
        timespec time;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
    }
    static long waits() {
        rusage usage{};
        getrusage(RUSAGE_THREAD, &usage);
        return usage.ru_nvcsw;
    }

    double seconds_ = 0;
    long waits_ = 0;
};

class HostEngine : public InputMethodEngineV2 {
public:
    explicit HostEngine(Instance *instance) : instance_(instance) {
        connectToDriver();
        watch(EventType::InputContextSurroundingTextUpdated, [this](InputContext *ic) {
            const auto &text = ic->surroundingText();
            Report report("news");
            report.flag("valid", text.isValid());
            if (text.isValid()) {
                report.text("text", text.text()).number("cursor", text.cursor()).number("anchor", text.anchor());
            }
            tell(report);
            effort_.begin();
        });
        watch(EventType::InputContextFocusIn, [this](InputContext *ic) {
            watchEffort();
            tell(Report("focusIn")
                     .text("client", ic->program())
                     .text("frontend", ic->frontend())
                     .number("capabilities", static_cast<long long>(ic->capabilityFlags().toInteger())));
        });
        watch(EventType::InputContextFocusOut, [this](InputContext *) { tell(Report("focusOut")); });
        watch(EventType::InputContextCapabilityChanged, [this](InputContext *ic) {
            tell(Report("capabilities")
                     .number("capabilities", static_cast<long long>(ic->capabilityFlags().toInteger()))
                     .flag("surrounding", ic->capabilityFlags().test(CapabilityFlag::SurroundingText)));
        });
        watchers_.push_back(instance_->watchEvent(ContextDiffTransition, EventWatcherPhase::Default, [this](Event &event) {
            tellTransition(static_cast<ContextDiffTransitionEvent &>(event).transition());
        }));
        tell(Report("ready"));
    }
    ~HostEngine() override { close(link_); }

    void keyEvent(const InputMethodEntry &, KeyEvent &event) override {
        bool handled = !event.isRelease() && event.rawKey().sym() == FcitxKey_F9;
        tell(Report("key")
                 .text("key", Key::keySymToString(event.rawKey().sym()))
                 .number("state", event.rawKey().states() & 0xFF)
                 .flag("release", event.isRelease())
                 .flag("handled", handled));
        if (handled) {
            act(event.inputContext());
            event.filterAndAccept();
        }
        effort_.begin();
    }

    void reset(const InputMethodEntry &, InputContextEvent &event) override {
        auto *ic = event.inputContext();
        tell(Report("reset").text("preedit", ic->inputPanel().clientPreedit().toString()));
        show(ic, "");
    }

private:
    // Before any addon makes something of it, if nothing else is said.
    template <typename Told>
    void watch(EventType type, Told told, EventWatcherPhase phase = EventWatcherPhase::PreInputMethod) {
        watchers_.push_back(instance_->watchEvent(type, phase, [told](Event &event) {
            told(static_cast<InputContextEvent &>(event).inputContext());
        }));
    }

    // Handlers of a phase are called as they came: after these of the addons, which are loaded by now.
    void watchEffort() {
        if (watchesEffort_) {
            return;
        }
        watchesEffort_ = true;
        for (auto type : {EventType::InputContextSurroundingTextUpdated, EventType::InputContextKeyEvent}) {
            watch(
                type,
                [this, type](InputContext *) {
                    Report report(type == EventType::InputContextKeyEvent ? "keyDone" : "newsDone");
                    tell(effort_.addTo(report));
                },
                EventWatcherPhase::Default);
        }
    }

    void tellTransition(const contextdiff_transition &transition) {
        std::string alternatives = "[";
        for (size_t index = 0; index < transition.alternative_count; ++index) {
            alternatives += (index ? "," : "") + quoted(contextdiff_kind_name(transition.alternatives[index]));
        }
        Report report("transition");
        report.text("kind", contextdiff_kind_name(transition.kind))
            .flag("certain", transition.certainty == CONTEXTDIFF_CERTAIN)
            .raw("alternatives", alternatives + "]")
            .flag("leaves", transition.leaves_composition == CONTEXTDIFF_YES)
            .number("expected", static_cast<long long>(transition.expected_count))
            .text("inserted", std::string(transition.inserted.data ? transition.inserted.data : "", transition.inserted.length))
            .text("removed", std::string(transition.removed.data ? transition.removed.data : "", transition.removed.length));
        tell(report);
    }

    void connectToDriver() {
        const char *path = getenv("CONTEXTDIFF_HOST_SOCKET");
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        if (path == nullptr || strlen(path) >= sizeof address.sun_path) {
            return;
        }
        strcpy(address.sun_path, path);
        link_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (connect(link_, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0) {
            return;
        }
        reading_ = instance_->eventLoop().addIOEvent(link_, IOEventFlag::In, [this](EventSourceIO *, int fd, IOEventFlags) {
            char piece[4096];
            ssize_t count = read(fd, piece, sizeof piece);
            if (count <= 0) {
                reading_.reset();
                instance_->exit();
                return false;
            }
            received_.append(piece, static_cast<size_t>(count));
            size_t end;
            while ((end = received_.find('\n')) != std::string::npos) {
                orders_.push_back(received_.substr(0, end));
                received_.erase(0, end + 1);
                tell(Report("order"));
            }
            return true;
        });
    }

    void tell(const Report &report) {
        auto line = report.line();
        size_t sent = 0;
        while (sent < line.size()) {
            ssize_t count = send(link_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
            if (count <= 0) {
                return;
            }
            sent += static_cast<size_t>(count);
        }
    }

    void act(InputContext *ic) {
        if (orders_.empty()) {
            return;
        }
        auto order = orders_.front();
        orders_.pop_front();
        auto tab = order.find('\t');
        auto what = order.substr(0, tab);
        auto value = tab == std::string::npos ? "" : order.substr(tab + 1);
        if (what == "commit") {
            show(ic, "");
            ic->commitString(value);
        } else if (what == "preedit" || what == "clear") {
            show(ic, value);
        } else if (what == "delete") {
            auto second = value.find('\t');
            ic->deleteSurroundingText(std::stoi(value.substr(0, second)), std::stoul(value.substr(second + 1)));
        }
        tell(Report(what.c_str()).text("text", value));
    }

    void show(InputContext *ic, const std::string &value) {
        auto &panel = ic->inputPanel();
        if (value.empty() && panel.clientPreedit().empty()) {
            return;
        }
        Text preedit;
        if (!value.empty()) {
            preedit.append(value, TextFormatFlag::Underline);
            preedit.setCursor(static_cast<int>(value.size()));
        }
        panel.setClientPreedit(preedit);
        ic->updatePreedit();
        ic->updateUserInterface(UserInterfaceComponent::InputPanel);
    }

    Instance *instance_;
    int link_ = -1;
    std::unique_ptr<EventSourceIO> reading_;
    std::string received_;
    std::deque<std::string> orders_;
    Effort effort_;
    bool watchesEffort_ = false;
    std::vector<std::unique_ptr<HandlerTableEntry<EventHandler>>> watchers_;
};

class HostEngineFactory : public AddonFactory {
public:
    AddonInstance *create(AddonManager *manager) override { return new HostEngine(manager->instance()); }
};

} // namespace

FCITX_ADDON_FACTORY(HostEngineFactory)
