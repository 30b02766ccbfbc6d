#include "slotcar/reply.h"

#include "base/numbers.h"

namespace slotcar::client {
namespace {

// Texts of a reply appear in messages up to here; a value of megabytes must not.
constexpr std::size_t kShownBytes = 64;

std::string shown(const std::string& text) {
  if (text.size() <= kShownBytes) return '"' + text + '"';
  return '"' + text.substr(0, kShownBytes) + "...\" (" + std::to_string(text.size()) + " bytes)";
}

}  // namespace

Reply Reply::of_text(Kind kind, std::string text) {
  Reply reply(kind);
  reply.text_ = std::move(text);
  return reply;
}

Reply Reply::of_integer(std::int64_t value) {
  Reply reply(Kind::integer);
  reply.integer_ = value;
  return reply;
}

Reply Reply::of_real(double value, std::string text) {
  Reply reply(Kind::real);
  reply.real_ = value;
  reply.text_ = std::move(text);
  return reply;
}

Reply Reply::of_boolean(bool value) {
  Reply reply(Kind::boolean);
  reply.boolean_ = value;
  return reply;
}

Reply Reply::of_items(Kind kind, std::vector<Reply> items) {
  Reply reply(kind);
  reply.items_ = std::move(items);
  return reply;
}

Error Reply::mismatch(std::string_view wanted) const {
  if (is_error()) return {Error::Kind::server, Error::Ran::yes, text_};
  return {Error::Kind::conversion, Error::Ran::yes,
          "the reply is " + describe() + ", not " + std::string(wanted)};
}

Result<std::string> Reply::as_string() const {
  switch (kind_) {
    case Kind::text:
    case Kind::bytes:
    case Kind::real:
    case Kind::big_number:
      return text_;
    case Kind::integer:
      return std::to_string(integer_);
    default:
      return mismatch("a string");
  }
}

Result<std::optional<std::string>> Reply::as_optional_string() const {
  if (is_null()) return std::optional<std::string>();
  auto text = as_string();
  if (!text) return text.error();
  return std::optional<std::string>(std::move(*text));
}

Result<std::int64_t> Reply::as_integer() const {
  if (kind_ == Kind::integer) return integer_;
  if (kind_ == Kind::boolean) return std::int64_t{boolean_};
  if (kind_ == Kind::text || kind_ == Kind::bytes || kind_ == Kind::big_number) {
    if (const auto number = base::parse_int64(text_)) return *number;
  }
  return mismatch("an integer");
}

Result<double> Reply::as_double() const {
  if (kind_ == Kind::real) return real_;
  if (kind_ == Kind::integer) return static_cast<double>(integer_);
  if (kind_ == Kind::text || kind_ == Kind::bytes) {
    if (const auto number = base::parse_double(text_)) return *number;
  }
  return mismatch("a number");
}

Result<bool> Reply::as_bool() const {
  if (kind_ == Kind::boolean) return boolean_;
  if (kind_ == Kind::null) return false;
  if (kind_ == Kind::integer && (integer_ == 0 || integer_ == 1)) return integer_ == 1;
  if (kind_ == Kind::text && text_ == "OK") return true;
  return mismatch("a yes or no");
}

Status Reply::as_ok() const {
  if (kind_ == Kind::text && text_ == "OK") return {};
  return mismatch("OK");
}

Result<std::vector<std::string>> Reply::as_strings() const {
  if (!is_aggregate()) return mismatch("a list");
  std::vector<std::string> strings;
  strings.reserve(items_.size());
  for (const Reply& item : items_) {
    auto text = item.as_string();
    if (!text) return text.error();
    strings.push_back(std::move(*text));
  }
  return strings;
}

Result<std::vector<std::optional<std::string>>> Reply::as_optional_strings() const {
  if (!is_aggregate()) return mismatch("a list");
  std::vector<std::optional<std::string>> strings;
  strings.reserve(items_.size());
  for (const Reply& item : items_) {
    auto text = item.as_optional_string();
    if (!text) return text.error();
    strings.push_back(std::move(*text));
  }
  return strings;
}

Result<std::map<std::string, std::string>> Reply::as_map() const {
  if ((kind_ != Kind::map && kind_ != Kind::array) || items_.size() % 2 != 0) {
    return mismatch("a map");
  }
  std::map<std::string, std::string> pairs;
  for (std::size_t i = 0; i < items_.size(); i += 2) {
    auto key = items_[i].as_string();
    if (!key) return key.error();
    auto value = items_[i + 1].as_string();
    if (!value) return value.error();
    pairs[std::move(*key)] = std::move(*value);
  }
  return pairs;
}

bool Reply::operator==(const Reply& other) const {
  if (kind_ != other.kind_ || text_ != other.text_ || items_ != other.items_) return false;
  if (kind_ == Kind::real) return real_ == other.real_;
  return boolean_ == other.boolean_ && integer_ == other.integer_;
}

std::string_view Reply::name_of(Kind kind) {
  constexpr std::string_view kNames[] = {"null", "text",    "bytes",      "integer",
                                         "real", "boolean", "big number", "array",
                                         "map",  "set",     "push",       "error"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string Reply::describe() const {
  const std::string name(name_of(kind_));
  switch (kind_) {
    case Kind::null:
      return name;
    case Kind::integer:
      return name + " " + std::to_string(integer_);
    case Kind::boolean:
      return name + (boolean_ ? " true" : " false");
    case Kind::array:
    case Kind::map:
    case Kind::set:
    case Kind::push:
      return name + " of " + std::to_string(items_.size());
    default:
      return name + " " + shown(text_);
  }
}

}  // namespace slotcar::client
