#include "cluster/etcd/json.h"

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "base/numbers.h"
#include "cluster/etcd/limits.h"

namespace slotcar::cluster {

const Json& Json::operator[](std::string_view name) const {
  static const Json kMissing;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i] == name) return items_[i];
  }
  return kMissing;
}

std::int64_t Json::number() const {
  return base::parse_int64(text_).value_or(0);
}

// Takes the events of the parser. A false ends it.
class JsonReading {
 public:
  using Ch = char;
  Json root;
  bool too_much = false;

  bool Null() { return scalar("null"); }
  bool Bool(bool value) { return scalar(value ? "true" : "false"); }
  bool Int(int) { return false; }  // numbers come as their text
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }
  bool RawNumber(const char* text, rapidjson::SizeType size, bool) { return scalar({text, size}); }
  bool String(const char* text, rapidjson::SizeType size, bool) { return scalar({text, size}); }
  bool Key(const char* text, rapidjson::SizeType size, bool) {
    open_.back()->names_.emplace_back(text, size);
    return true;
  }
  bool StartObject() { return start(Json::Kind::object); }
  bool StartArray() { return start(Json::Kind::array); }
  bool EndObject(rapidjson::SizeType) { return end(); }
  bool EndArray(rapidjson::SizeType) { return end(); }

 private:
  // Pointers into the vectors of open values: only the innermost one grows.
  Json* next() {
    if (++values_ > limits::kJsonValuesMax) {
      too_much = true;
      return nullptr;
    }
    if (open_.empty()) return &root;
    return &open_.back()->items_.emplace_back();
  }
  bool scalar(std::string_view text) {
    Json* const value = next();
    if (value == nullptr) return false;
    value->kind_ = Json::Kind::scalar;
    value->text_ = text;
    return true;
  }
  bool start(Json::Kind kind) {
    Json* const value = next();
    too_much |= open_.size() == limits::kJsonDepthMax;
    if (value == nullptr || too_much) return false;
    value->kind_ = kind;
    open_.push_back(value);
    return true;
  }
  bool end() {
    open_.pop_back();
    return true;
  }

  std::vector<Json*> open_;
  std::size_t values_ = 0;
};

Result<Json> read_json(std::string_view text) {
  if (text.size() > limits::kEtcdReplyBytesMax) return Error{"the JSON text is too long"};
  JsonReading reading;
  rapidjson::Reader parser;
  rapidjson::MemoryStream stream(text.data(), text.size());
  // Without recursion: the depth is bounded by `reading` alone.
  constexpr unsigned kFlags = rapidjson::kParseIterativeFlag |
                              rapidjson::kParseValidateEncodingFlag |
                              rapidjson::kParseNumbersAsStringsFlag;
  const rapidjson::ParseResult parsed = parser.Parse<kFlags>(stream, reading);
  if (reading.too_much) return Error{"the JSON text has too many values, or too deep ones"};
  if (parsed.IsError()) {
    return Error{fmt::format("no valid JSON at byte {}: {}", parsed.Offset(),
                             rapidjson::GetParseError_En(parsed.Code()))};
  }
  return std::move(reading.root);
}

std::string json_string(std::string_view text) {
  rapidjson::StringBuffer out;
  rapidjson::Writer<rapidjson::StringBuffer> writer(out);
  writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  return {out.GetString(), out.GetSize()};
}

}  // namespace slotcar::cluster
