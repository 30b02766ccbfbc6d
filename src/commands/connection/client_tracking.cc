// CLIENT TRACKING <ON | OFF> [REDIRECT client-id] [PREFIX prefix [PREFIX prefix ...]] [BCAST]
//   [OPTIN] [OPTOUT] [NOLOOP]
#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "base/numbers.h"
#include "commands/declare.h"
#include "session/session.h"

namespace slotcar::commands {
namespace {

using base::equals_ignoring_case;
using session::Session;
using session::Tracking;
using session::TrackingOptions;

constexpr std::string_view kSecondRedirect =
    "ERR A client can only redirect to a single other client";
constexpr std::string_view kNoSuchClient = "ERR The client ID you want redirect to does not exist";
constexpr std::string_view kPrefixAlone = "ERR PREFIX option requires BCAST mode to be enabled";
constexpr std::string_view kOtherMode =
    "ERR You can't switch BCAST mode on/off before disabling tracking for this client, and then "
    "re-enabling it with a different mode.";
constexpr std::string_view kNotWithBcast = "ERR OPTIN and OPTOUT are not compatible with BCAST";
constexpr std::string_view kBoth = "ERR You can't specify both OPTIN mode and OPTOUT mode";
constexpr std::string_view kOtherOpt =
    "ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this client, and then "
    "re-enabling it with a different mode.";

// The error, or nothing.
std::string_view read_redirect(Session& session, std::string_view word, TrackingOptions& options) {
  if (options.redirect != ClientId{}) return kSecondRedirect;
  const auto id = base::parse_int64(word);
  if (!id) return schema::kNotInteger;
  const ClientId redirect{static_cast<std::uint64_t>(*id)};
  // It may go at any time; but to redirect to one that is not there now is a mistake.
  if (*id <= 0 || session.services().clients->find(redirect) == nullptr) return kNoSuchClient;
  options.redirect = redirect;
  return {};
}

std::string_view read(Session& session, Call& call, TrackingOptions& options) {
  for (std::size_t i = 3; i < call.size(); ++i) {
    const std::string_view word = call.arg(i);
    const bool more = i + 1 < call.size();
    if (equals_ignoring_case(word, "REDIRECT") && more) {
      const std::string_view error = read_redirect(session, call.arg(++i), options);
      if (!error.empty()) return error;
    } else if (equals_ignoring_case(word, "BCAST")) {
      options.by_prefix = true;
    } else if (equals_ignoring_case(word, "OPTIN")) {
      options.optin = true;
    } else if (equals_ignoring_case(word, "OPTOUT")) {
      options.optout = true;
    } else if (equals_ignoring_case(word, "NOLOOP")) {
      options.noloop = true;
    } else if (equals_ignoring_case(word, "PREFIX") && more) {
      options.prefixes.emplace_back(call.arg(++i));
    } else {
      return schema::kSyntaxError;
    }
  }
  return {};
}

// Whether the options fit each other and what is on already.
std::string_view check(const Tracking* now, const TrackingOptions& options) {
  if (!options.by_prefix && !options.prefixes.empty()) return kPrefixAlone;
  const bool on = now != nullptr && now->on();
  if (on && now->options().by_prefix != options.by_prefix) return kOtherMode;
  if (options.by_prefix && (options.optin || options.optout)) return kNotWithBcast;
  if (options.optin && options.optout) return kBoth;
  const bool switches =
      on && ((options.optin && now->options().optout) || (options.optout && now->options().optin));
  return switches ? kOtherOpt : std::string_view();
}

bool overlap(std::string_view a, std::string_view b) {
  return a.starts_with(b) || b.starts_with(a);
}

// The first prefix that overlaps one that the client has. Those do not overlap each other (but for
// the empty one, which BCAST alone adds), so that one is next to where it would stand among them.
std::size_t first_on_old(const std::set<std::string>& old, const std::vector<std::string>& given) {
  if (old.empty()) return given.size();
  if (old.begin()->empty()) return 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto next = old.lower_bound(given[i]);
    if (next != old.end() && overlap(*next, given[i])) return i;
    if (next != old.begin() && overlap(*std::prev(next), given[i])) return i;
  }
  return given.size();
}

// The first one that overlaps a later one. In order, those that begin with a prefix follow it.
std::size_t first_on_given(const std::vector<std::string>& given) {
  std::vector<std::size_t> order(given.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return given[a] < given[b]; });
  std::size_t first = given.size();
  std::vector<std::size_t> begun;  // each begins with the one before it
  for (const std::size_t i : order) {
    while (!begun.empty() && !given[i].starts_with(given[begun.back()])) begun.pop_back();
    if (!begun.empty()) first = std::min({first, i, begun.back()});
    begun.push_back(i);
  }
  return first;
}

// A key under two prefixes of one client would be pushed twice. Empty: none overlap.
std::string overlapping(const Tracking* now, const std::vector<std::string>& given) {
  const auto complaint = [](const std::string& one, const char* which, const std::string& other) {
    return "ERR Prefix '" + one + "' overlaps with " + which + " '" + other +
           "'. Prefixes for a single client must not overlap.";
  };
  const std::size_t on_old = now == nullptr ? given.size() : first_on_old(now->prefixes(), given);
  const std::size_t on_given = first_on_given(given);
  const std::size_t i = std::min(on_old, on_given);
  if (i == given.size()) return {};
  const auto overlaps = [&](const std::string& other) { return overlap(given[i], other); };
  if (i == on_old) {
    const auto& old = now->prefixes();
    const auto other = std::find_if(old.begin(), old.end(), overlaps);
    return complaint(given[i], "an existing prefix", *other);
  }
  const auto other =
      std::find_if(given.begin() + static_cast<std::ptrdiff_t>(i) + 1, given.end(), overlaps);
  return complaint(given[i], "another provided prefix", *other);
}

void tracking(Session& session, Call& call) {
  TrackingOptions options;
  std::string_view error = read(session, call, options);
  if (!error.empty()) return call.reply().error(error);
  if (equals_ignoring_case(call.arg(2), "OFF")) {
    session.untrack();
  } else if (equals_ignoring_case(call.arg(2), "ON")) {
    error = check(session.tracking(), options);
    if (!error.empty()) return call.reply().error(error);
    const std::string twice = overlapping(session.tracking(), options.prefixes);
    if (!twice.empty()) return call.reply().error(twice);
    session.track(options);
  } else {
    return call.reply().error(schema::kSyntaxError);
  }
  call.set_tracker(session.identity().tracker());
  call.reply().ok();
}

}  // namespace

extern constinit const Command connection_client_tracking{
    .name = "CLIENT|TRACKING",
    .summary = "Chooses whether the connection is told when keys that it has read change.",
    .since = "6.0.0",
    .complexity = "O(1), and O(N) with N the number of prefixes.",
    .syntax =
        "status=<ON | OFF> [REDIRECT client-id:integer] [PREFIX prefix [PREFIX prefix ...]] "
        "[BCAST] "
        "[OPTIN] [OPTOUT] [NOLOOP]",
    .group = Group::connection,
    .arity = at_least(3),
    .access = Access::noscript | Access::loading | Access::stale,
    .acl = Acl::connection,
    .runs = schema::on_session(tracking)};

}  // namespace slotcar::commands
