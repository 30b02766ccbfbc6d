// bit: operations on 32-bit numbers, results signed, as LuaBitOp's.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "scripting/library/libraries.h"

namespace slotcar::scripting {
namespace {

// The low 32 bits of a number, rounded. Adding 2^52 + 2^51 puts them at the end of the mantissa;
// numbers beyond 2^51 give what they give in Redis.
std::uint32_t bits(lua_State* lua, int argument) {
  const double shifted = luaL_checknumber(lua, argument) + 6755399441055744.0;
  std::uint64_t raw = 0;
  std::memcpy(&raw, &shifted, sizeof raw);
  return static_cast<std::uint32_t>(raw);
}

int answer(lua_State* lua, std::uint32_t value) {
  lua_pushnumber(lua, static_cast<std::int32_t>(value));
  return 1;
}

int tobit(lua_State* lua) {
  return answer(lua, bits(lua, 1));
}

int bnot(lua_State* lua) {
  return answer(lua, ~bits(lua, 1));
}

template <class Operation>
int fold(lua_State* lua, Operation operation) {
  std::uint32_t value = bits(lua, 1);
  for (int i = lua_gettop(lua); i > 1; --i) value = operation(value, bits(lua, i));
  return answer(lua, value);
}

int band(lua_State* lua) {
  return fold(lua, [](std::uint32_t a, std::uint32_t b) { return a & b; });
}

int bor(lua_State* lua) {
  return fold(lua, [](std::uint32_t a, std::uint32_t b) { return a | b; });
}

int bxor(lua_State* lua) {
  return fold(lua, [](std::uint32_t a, std::uint32_t b) { return a ^ b; });
}

template <class Operation>
int shift(lua_State* lua, Operation operation) {
  const std::uint32_t value = bits(lua, 1);
  return answer(lua, operation(value, static_cast<int>(bits(lua, 2) & 31)));
}

int lshift(lua_State* lua) {
  return shift(lua, [](std::uint32_t value, int by) { return value << by; });
}

int rshift(lua_State* lua) {
  return shift(lua, [](std::uint32_t value, int by) { return value >> by; });
}

int arshift(lua_State* lua) {
  return shift(lua, [](std::uint32_t value, int by) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(value) >> by);
  });
}

int rol(lua_State* lua) {
  return shift(lua, [](std::uint32_t value, int by) { return std::rotl(value, by); });
}

int ror(lua_State* lua) {
  return shift(lua, [](std::uint32_t value, int by) { return std::rotr(value, by); });
}

int bswap(lua_State* lua) {
  return answer(lua, __builtin_bswap32(bits(lua, 1)));
}

// bit.tohex(x [, digits]): a negative number of digits means upper case.
int tohex(lua_State* lua) {
  std::uint32_t value = bits(lua, 1);
  const std::int64_t wanted =
      lua_isnone(lua, 2) ? 8 : static_cast<std::int32_t>(bits(lua, 2));  // 64 bits: -INT_MIN fits
  const char* const digits = wanted < 0 ? "0123456789ABCDEF" : "0123456789abcdef";
  const auto count =
      static_cast<std::size_t>(std::min<std::int64_t>(wanted < 0 ? -wanted : wanted, 8));
  char text[8];
  for (std::size_t i = count; i-- > 0; value >>= 4) text[i] = digits[value & 15];
  lua_pushlstring(lua, text, count);
  return 1;
}

constexpr luaL_Reg kFunctions[] = {
    {"tobit", tobit},   {"bnot", bnot},     {"band", band},       {"bor", bor}, {"bxor", bxor},
    {"lshift", lshift}, {"rshift", rshift}, {"arshift", arshift}, {"rol", rol}, {"ror", ror},
    {"bswap", bswap},   {"tohex", tohex},   {nullptr, nullptr}};

}  // namespace

void push_bit_library(lua_State* lua) {
  lua_newtable(lua);
  luaL_register(lua, nullptr, kFunctions);
}

}  // namespace slotcar::scripting
