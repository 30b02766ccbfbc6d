#include "schema/command_info.h"

#include "base/ascii.h"

namespace slotcar::schema {
namespace {

template <class Flag>
struct Named {
  Flag flag;
  std::string_view name;
};

constexpr Named<Access> kAccessNames[] = {
    {Access::write, "write"},
    {Access::readonly, "readonly"},
    {Access::may_grow, "denyoom"},
    {Access::admin, "admin"},
    {Access::pubsub, "pubsub"},
    {Access::noscript, "noscript"},
    {Access::blocking, "blocking"},
    {Access::loading, "loading"},
    {Access::stale, "stale"},
    {Access::skip_monitor, "skip_monitor"},
    {Access::skip_slowlog, "skip_slowlog"},
    {Access::asking, "asking"},
    {Access::fast, "fast"},
    {Access::no_auth, "no_auth"},
    {Access::no_mandatory_keys, "no_mandatory_keys"},
    {Access::protected_, "protected"},
    {Access::no_async_loading, "no_async_loading"},
    {Access::no_multi, "no_multi"},
    {Access::allow_busy, "allow_busy"},
};

constexpr Named<KeyUse> kKeyUseNames[] = {
    {KeyUse::ro, "RO"},
    {KeyUse::rw, "RW"},
    {KeyUse::ow, "OW"},
    {KeyUse::rm, "RM"},
    {KeyUse::access, "access"},
    {KeyUse::update, "update"},
    {KeyUse::insert, "insert"},
    {KeyUse::remove, "delete"},
    {KeyUse::not_key, "not_key"},
    {KeyUse::incomplete, "incomplete"},
    {KeyUse::variable_flags, "variable_flags"},
};

constexpr Named<Acl> kAclNames[] = {
    {Acl::keyspace, "keyspace"},
    {Acl::read, "read"},
    {Acl::write, "write"},
    {Acl::set, "set"},
    {Acl::sortedset, "sortedset"},
    {Acl::list, "list"},
    {Acl::hash, "hash"},
    {Acl::string, "string"},
    {Acl::bitmap, "bitmap"},
    {Acl::hyperloglog, "hyperloglog"},
    {Acl::geo, "geo"},
    {Acl::stream, "stream"},
    {Acl::pubsub, "pubsub"},
    {Acl::admin, "admin"},
    {Acl::fast, "fast"},
    {Acl::slow, "slow"},
    {Acl::blocking, "blocking"},
    {Acl::dangerous, "dangerous"},
    {Acl::connection, "connection"},
    {Acl::transaction, "transaction"},
    {Acl::scripting, "scripting"},
};

template <class Flag, std::size_t kCount>
std::vector<std::string_view> names_in(const Named<Flag> (&table)[kCount], Flag set) {
  std::vector<std::string_view> names;
  for (const auto& [flag, name] : table) {
    if (has(set, flag)) names.push_back(name);
  }
  return names;
}

bool is_plain_range(const KeySpec& spec) {
  return spec.begin == KeySpec::Begin::index && spec.find == KeySpec::Find::range;
}

int absolute_last(const KeySpec& spec) {
  return spec.last < 0 ? spec.last : spec.index + spec.last;
}

KeySpecInfo info_of(const KeySpec& spec) {
  KeySpecInfo info;
  info.flags = key_use_names(spec.use);
  if (spec.find == KeySpec::Find::function) return info;

  if (spec.begin == KeySpec::Begin::index) {
    info.begin = KeySpecInfo::Begin::index;
    info.index = spec.index;
  } else {
    info.begin = KeySpecInfo::Begin::keyword;
    info.keyword = spec.keyword;
    info.start_from = spec.index;
  }
  if (spec.find == KeySpec::Find::range) {
    info.find = KeySpecInfo::Find::range;
    info.last_key = spec.last;
    info.limit = spec.limit;
  } else {
    info.find = KeySpecInfo::Find::keynum;
    info.key_count_at = spec.count_at;
    info.first_key = spec.first;
  }
  info.step = spec.step;
  return info;
}

}  // namespace

// One plain range says all by itself. Several are joined as long as each begins right behind the
// one before it and takes every argument; what does not fit is left out, and the command marked.
LegacyKeys legacy_keys(const KeySpecs& specs) {
  LegacyKeys legacy;
  const auto list = specs.list();
  if (list.empty()) return legacy;
  if (list.size() == 1 && is_plain_range(list[0])) {
    return {list[0].index, absolute_last(list[0]), list[0].step,
            has(list[0].use, KeyUse::incomplete)};
  }
  // "From the end" lies behind every fixed position; unsigned numbers order them so.
  const auto later = [](int a, int b) {
    return static_cast<unsigned>(a) > static_cast<unsigned>(b);
  };
  for (const KeySpec& spec : list) {
    if (!is_plain_range(spec) || spec.step != 1 ||
        (legacy.last != 0 && legacy.last != spec.index - 1)) {
      legacy.movable = true;
      continue;
    }
    if (has(spec.use, KeyUse::incomplete)) legacy.movable = true;
    if (legacy.first == 0 || spec.index < legacy.first) legacy.first = spec.index;
    if (later(absolute_last(spec), legacy.last)) legacy.last = absolute_last(spec);
    legacy.step = 1;
  }
  return legacy;
}

CommandInfo command_info(const Command& command) {
  CommandInfo info;
  info.arity = command.arity.value;
  info.flags = access_names(command.access);
  info.keys = legacy_keys(command.keys);
  if (info.keys.movable) info.flags.push_back("movablekeys");
  info.categories = acl_names(acl_categories(command));
  for (const KeySpec& spec : command.keys.list()) info.key_specs.push_back(info_of(spec));
  return info;
}

std::vector<std::string_view> access_names(Access access) {
  return names_in(kAccessNames, access);
}
std::vector<std::string_view> key_use_names(KeyUse use) {
  return names_in(kKeyUseNames, use);
}
std::vector<std::string_view> acl_names(Acl categories) {
  return names_in(kAclNames, categories);
}

Acl acl_category(std::string_view name) {
  for (const auto& [category, known] : kAclNames) {
    if (base::equals_ignoring_case(known, name)) return category;
  }
  return Acl::none;
}

}  // namespace slotcar::schema
