// struct: values to packed bytes and back, by a format as in Redis: > < ! b B h H l L T i I f d x c
// s.
#include <cctype>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "scripting/bounded_text.h"
#include "scripting/library/libraries.h"

namespace slotcar::scripting {
namespace {

constexpr int kIntegerBytesMax = 32;
constexpr int kNaturalAlignment = 8;  // of a double

class Format {
 public:
  Format(lua_State* lua, std::string_view text) : lua_(lua), text_(text) {}

  bool done() const { return text_.empty(); }
  // Takes the next option; `size` says how many bytes it stands for (0: see the option).
  char next() {
    option_ = text_.front();
    text_.remove_prefix(1);
    size_ = option_size();
    return option_;
  }
  int size() const { return size_; }
  bool big_endian() const { return big_endian_; }
  // How many bytes lie between `at` and the place of the option.
  int padding(std::size_t at) const {
    if (size_ == 0 || option_ == 'c') return 0;
    const int size = size_ > alignment_ ? alignment_ : size_;
    if (size <= 1) return 0;
    return (size - static_cast<int>(at & static_cast<std::size_t>(size - 1))) & (size - 1);
  }
  // An option that stands for no value.
  void control() {
    switch (option_) {
      case ' ':
        return;
      case '>':
        big_endian_ = true;
        return;
      case '<':
        big_endian_ = false;
        return;
      case '!': {
        const int alignment = number(kNaturalAlignment);
        if (alignment <= 0 || (alignment & (alignment - 1)) != 0) {
          luaL_error(lua_, "alignment %d is not a power of 2", alignment);
        }
        alignment_ = alignment;
        return;
      }
      default:
        luaL_argerror(lua_, 1, lua_pushfstring(lua_, "invalid format option '%c'", option_));
    }
  }

 private:
  int option_size() {
    switch (option_) {
      case 'B':
      case 'b':
      case 'x':
        return 1;
      case 'H':
      case 'h':
        return sizeof(short);
      case 'L':
      case 'l':
        return sizeof(long);
      case 'T':
        return sizeof(std::size_t);
      case 'f':
        return sizeof(float);
      case 'd':
        return sizeof(double);
      case 'c':
        return number(1);
      case 'i':
      case 'I': {
        const int size = number(sizeof(int));
        if (size > kIntegerBytesMax) {
          luaL_error(lua_, "integral size %d is larger than limit of %d", size, kIntegerBytesMax);
        }
        return size;
      }
      default:
        return 0;
    }
  }

  int number(int otherwise) {
    if (text_.empty() || !is_digit(text_.front())) return otherwise;
    int value = 0;
    while (!text_.empty() && is_digit(text_.front())) {
      const int digit = text_.front() - '0';
      if (value > INT32_MAX / 10 || value * 10 > INT32_MAX - digit) {
        luaL_error(lua_, "integral size overflow");
      }
      value = value * 10 + digit;
      text_.remove_prefix(1);
    }
    return value;
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  lua_State* lua_;
  std::string_view text_;
  char option_ = 0;
  int size_ = 0;
  bool big_endian_ = false;
  int alignment_ = 1;
};

bool is_integer(char option) {
  return std::string_view("bBhHlLTiI").find(option) != std::string_view::npos;
}

void put_integer(lua_State* lua, BoundedText& out, int argument, const Format& format) {
  const double number = luaL_checknumber(lua, argument);
  std::uint64_t value = 0;
  if (number < 0) {
    value = number >= -9223372036854775808.0
                ? static_cast<std::uint64_t>(static_cast<std::int64_t>(number))
                : std::uint64_t{1} << 63;
  } else if (number < 18446744073709551616.0) {
    value = static_cast<std::uint64_t>(number);
  }
  char bytes[kIntegerBytesMax];
  const int size = format.size();
  for (int i = 0; i < size; ++i) {
    bytes[format.big_endian() ? size - 1 - i : i] = static_cast<char>(value & 0xff);
    value >>= 8;
  }
  out.append({bytes, static_cast<std::size_t>(size)});
}

double get_integer(std::string_view bytes, bool big_endian, bool with_sign) {
  std::uint64_t value = 0;
  const std::size_t size = bytes.size();
  for (std::size_t i = 0; i < size; ++i) {
    value = value << 8 | static_cast<unsigned char>(bytes[big_endian ? i : size - 1 - i]);
  }
  if (!with_sign) return static_cast<double>(value);
  // Beyond eight bytes the bit of the sign is where the hardware's shift puts it, as in Redis.
  const std::uint64_t mask = ~std::uint64_t{0} << ((size * 8 - 1) & 63);
  if (value & mask) value |= mask;
  return static_cast<double>(static_cast<std::int64_t>(value));
}

template <class Real>
void put_real(BoundedText& out, double number, bool big_endian) {
  const auto real = static_cast<Real>(number);
  char bytes[sizeof real];
  std::memcpy(bytes, &real, sizeof real);
  for (std::size_t i = 0; i < sizeof real; ++i) {
    out.append(bytes[big_endian ? sizeof real - 1 - i : i]);
  }
}

template <class Real>
double get_real(std::string_view text, bool big_endian) {
  char bytes[sizeof(Real)];
  for (std::size_t i = 0; i < sizeof bytes; ++i) {
    bytes[big_endian ? sizeof bytes - 1 - i : i] = text[i];
  }
  Real real = 0;
  std::memcpy(&real, bytes, sizeof real);
  return real;
}

// A size of 0 means the whole string.
void put_string(lua_State* lua, BoundedText& out, int argument, char option, int size) {
  const std::string_view text = checked_text(lua, argument);
  const std::size_t wanted = size == 0 ? text.size() : static_cast<std::size_t>(size);
  luaL_argcheck(lua, text.size() >= wanted, argument + 1, "string too short");
  out.append(text.substr(0, wanted));
  if (option == 's') out.append('\0');
}

int pack(lua_State* lua) {
  Format format(lua, luaL_checkstring(lua, 1));
  BoundedText out(lua);
  int argument = 2;
  lua_pushnil(lua);  // A mark between the arguments and what errors put on the stack.
  while (!format.done()) {
    const char option = format.next();
    out.append(static_cast<std::size_t>(format.padding(out.size())), '\0');
    if (is_integer(option)) {
      put_integer(lua, out, argument++, format);
    } else if (option == 'x') {
      out.append('\0');
    } else if (option == 'f') {
      put_real<float>(out, luaL_checknumber(lua, argument++), format.big_endian());
    } else if (option == 'd') {
      put_real<double>(out, luaL_checknumber(lua, argument++), format.big_endian());
    } else if (option == 'c' || option == 's') {
      put_string(lua, out, argument++, option, format.size());
    } else {
      format.control();
    }
  }
  out.push();
  return 1;
}

// Where unpack stands in its data.
struct Reading {
  std::string_view data;
  std::size_t at = 0;
  int results = 0;
};

// The next `size` bytes, which must be there.
std::string_view taken(lua_State* lua, const Reading& reading, std::size_t size) {
  luaL_argcheck(lua, size <= reading.data.size() && reading.at <= reading.data.size() - size, 2,
                "data string too short");
  return reading.data.substr(reading.at, size);
}

// `cn` and, where n is 0, as many bytes as the value before says. Returns the size.
std::size_t unpack_chars(lua_State* lua, Reading& reading, std::size_t size) {
  if (size == 0) {
    if (reading.results == 0 || !lua_isnumber(lua, -1)) {
      luaL_error(lua, "format 'c0' needs a previous size");
    }
    const double wanted = lua_tonumber(lua, -1);
    luaL_argcheck(lua, wanted > -1 && wanted <= static_cast<double>(reading.data.size()), 2,
                  "data string too short");
    size = static_cast<std::size_t>(wanted);
    lua_pop(lua, 1);
    --reading.results;
  }
  push(lua, taken(lua, reading, size));
  return size;
}

// Up to a zero byte. Returns the size with it.
std::size_t unpack_zero_ended(lua_State* lua, const Reading& reading) {
  const std::size_t end = reading.data.find('\0', reading.at);
  if (end == std::string_view::npos) luaL_error(lua, "unfinished string in data");
  push(lua, reading.data.substr(reading.at, end - reading.at));
  return end - reading.at + 1;
}

int unpack(lua_State* lua) {
  Format format(lua, luaL_checkstring(lua, 1));
  Reading reading{checked_text(lua, 2)};
  // A negative start is a very large one, as in Redis; `taken` refuses it.
  const auto start = static_cast<std::size_t>(luaL_optinteger(lua, 3, 1));
  luaL_argcheck(lua, start > 0, 3, "offset must be 1 or greater");
  reading.at = start - 1;
  while (!format.done()) {
    const char option = format.next();
    reading.at += static_cast<std::size_t>(format.padding(reading.at));
    auto size = static_cast<std::size_t>(format.size());
    const std::string_view bytes = taken(lua, reading, size);
    luaL_checkstack(lua, 2, "too many results");
    if (is_integer(option)) {
      lua_pushnumber(lua, get_integer(bytes, format.big_endian(), std::islower(option) != 0));
    } else if (option == 'f') {
      lua_pushnumber(lua, get_real<float>(bytes, format.big_endian()));
    } else if (option == 'd') {
      lua_pushnumber(lua, get_real<double>(bytes, format.big_endian()));
    } else if (option == 'c') {
      size = unpack_chars(lua, reading, size);
    } else if (option == 's') {
      size = unpack_zero_ended(lua, reading);
    } else {
      if (option != 'x') format.control();
      --reading.results;
    }
    ++reading.results;
    reading.at += size;
  }
  lua_pushinteger(lua, static_cast<lua_Integer>(reading.at + 1));
  return reading.results + 1;
}

int size(lua_State* lua) {
  Format format(lua, luaL_checkstring(lua, 1));
  std::size_t total = 0;
  while (!format.done()) {
    const char option = format.next();
    total += static_cast<std::size_t>(format.padding(total));
    if (option == 's') {
      luaL_argerror(lua, 1, "option 's' has no fixed size");
    } else if (option == 'c' && format.size() == 0) {
      luaL_argerror(lua, 1, "option 'c0' has no fixed size");
    } else if (!std::isalnum(static_cast<unsigned char>(option))) {
      format.control();
    }
    total += static_cast<std::size_t>(format.size());
  }
  lua_pushinteger(lua, static_cast<lua_Integer>(total));
  return 1;
}

constexpr luaL_Reg kFunctions[] = {
    {"pack", pack}, {"unpack", unpack}, {"size", size}, {nullptr, nullptr}};

}  // namespace

void push_struct_library(lua_State* lua) {
  lua_newtable(lua);
  luaL_register(lua, nullptr, kFunctions);
}

}  // namespace slotcar::scripting
