// Request: one command with its arguments, encoded as it is built. The builder marks keys (`key`);
// for requests made of plain words, the command table finds them.
//
//   Request("SET").key("user:1").arg("ann").arg("EX").arg(60)
//   Request::of({"HGETALL", "user:1"})
//
// A request may be sent any number of times and by several threads at once; it is built by one.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slotcar::client {

namespace detail {
template <class T>
inline constexpr bool is_wide_character = std::same_as<T, wchar_t> || std::same_as<T, char8_t> ||
                                          std::same_as<T, char16_t> || std::same_as<T, char32_t>;
}  // namespace detail

class Request {
 public:
  // The command's name; "CLIENT SETNAME" are two arguments: Request("CLIENT").arg("SETNAME").
  explicit Request(std::string_view command);
  Request(const Request&);
  Request(Request&&) noexcept;
  Request& operator=(const Request&);
  Request& operator=(Request&&) noexcept;
  ~Request();
  static Request of(std::initializer_list<std::string_view> words);
  static Request of(const std::vector<std::string>& words);

  Request& key(std::string_view key) & { return add(key, true); }
  Request&& key(std::string_view key) && { return std::move(add(key, true)); }
  Request& arg(std::string_view value) & { return add(value, false); }
  Request&& arg(std::string_view value) && { return std::move(add(value, false)); }
  // Integers of any width and sign as their digits; a bool as 1 or 0; a char as that character.
  // (Characters of other encodings are refused: they are not bytes.)
  template <std::integral T>
  Request& arg(T value) & {
    static_assert(!detail::is_wide_character<T>, "encode the text first; Redis stores bytes");
    if constexpr (std::same_as<T, char>)
      return add({&value, 1}, false);
    else if constexpr (std::unsigned_integral<T>)
      return add_unsigned(value);
    else
      return add_integer(value);
  }
  template <std::integral T>
  Request&& arg(T value) && {
    return std::move(arg(value));
  }
  Request& arg(double value) & { return add_real(value); }
  Request&& arg(double value) && { return std::move(add_real(value)); }

  std::uint32_t arguments() const { return count_; }  // with the command's name
  std::string_view argument(std::size_t index) const;
  std::string_view command() const { return {body_.data() + name_at_, name_size_}; }
  // The arguments without the header that counts them: "$3\r\nGET\r\n$1\r\nk\r\n".
  const std::string& body() const { return body_; }
  std::size_t wire_size() const { return body_.size() + 8; }

  // The first key, if the builder marked one.
  bool has_key() const { return first_key_size_ != kNoKey; }
  std::string_view first_key() const { return {body_.data() + first_key_at_, first_key_size_}; }
  // All keys that the builder marked.
  std::vector<std::string_view> keys() const;

 private:
  static constexpr std::uint32_t kNoKey = UINT32_MAX;
  struct Place {
    std::uint32_t at;
    std::uint32_t size;
  };
  Request& add(std::string_view value, bool is_key);
  Request& add_integer(std::int64_t value);
  Request& add_unsigned(std::uint64_t value);
  Request& add_real(double value);

  std::string body_;
  std::vector<Place> more_keys_;
  std::uint32_t count_ = 0;
  std::uint32_t first_key_at_ = 0;
  std::uint32_t first_key_size_ = kNoKey;
  std::uint16_t name_at_ = 0;
  std::uint16_t name_size_ = 0;
};

}  // namespace slotcar::client
