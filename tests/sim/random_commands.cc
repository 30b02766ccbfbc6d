#include "sim/random_commands.h"

#include <algorithm>
#include <utility>

namespace slotcar::sim {

namespace {

// What keys are called: a letter for the type that they mostly have, and a number.
constexpr std::string_view kTypes = "slhtzxbpg";
constexpr std::uint64_t kKeysOfType = 2;

// `$` and a letter: a key of that type, `$k` of any. Else one letter behind `%`:
//   t text, m member (few), i small integer, u 0..40, f float, n stream id, w time far away,
//   e time soon, d database, p payload.
constexpr std::string_view kPatterns[] = {
    "SET $s %t",
    "SET $s %t PXAT %w",
    "SET $s %t KEEPTTL",
    "SET $k %t NX",
    "SETEX $s 5000 %t",
    "PSETEX $s %e %t",
    "GETSET $s %t",
    "GETDEL $s",
    "GETEX $s PXAT %w",
    "GETEX $s PERSIST",
    "APPEND $s %t",
    "SETRANGE $s %u %t",
    "INCRBY $s %i",
    "INCRBYFLOAT $s %f",
    "MSET $s %t $k %t",
    "MSETNX $s %t $l %t",
    "SETBIT $s %u 1",
    "SETBIT $s %u 0",
    "BITFIELD $s SET u8 %u %u",
    "BITFIELD $s INCRBY i5 #%u %i OVERFLOW SAT INCRBY u3 %u %i",
    "BITOP XOR $s $s $s",
    "BITOP NOT $s $s",
    "PFADD $p %m %m %t",
    "PFMERGE $p $p $p",
    "PFADD $p",
    "LPUSH $l %t %m",
    "RPUSH $l %m %m %t",
    "LPUSHX $l %t",
    "LPOP $l",
    "RPOP $l 2",
    "LSET $l %i %t",
    "LINSERT $l BEFORE %m %t",
    "LINSERT $l AFTER %m %m",
    "LREM $l %i %m",
    "LTRIM $l %i %i",
    "LMOVE $l $l LEFT RIGHT",
    "RPOPLPUSH $l $l",
    "LMPOP 2 $l $l RIGHT COUNT 3",
    "HSET $h %m %t %m %t",
    "HSETNX $h %m %t",
    "HDEL $h %m %m",
    "HINCRBY $h %m %i",
    "HINCRBYFLOAT $h %m %f",
    "HPEXPIREAT $h %w FIELDS 2 %m %m",
    "HPEXPIRE $h %e FIELDS 1 %m",
    "HPERSIST $h FIELDS 1 %m",
    "HSETEX $h PXAT %w FIELDS 2 %m %t %m %t",
    "HSETEX $h FNX KEEPTTL FIELDS 1 %m %t",
    "HGETEX $h PXAT %w FIELDS 1 %m",
    "HGETDEL $h FIELDS 2 %m %m",
    "SADD $t %m %t %i",
    "SREM $t %m %m %i",
    "SPOP $t",
    "SPOP $t 3",
    "SMOVE $t $t %m",
    "SINTERSTORE $t $t $t",
    "SUNIONSTORE $t $t $t",
    "SDIFFSTORE $t $t $t",
    "ZADD $z %f %m %i %m",
    "ZADD $z GT CH %f %m",
    "ZADD $z INCR %f %m",
    "ZINCRBY $z %f %m",
    "ZREM $z %m %m",
    "ZPOPMIN $z",
    "ZPOPMAX $z 2",
    "ZREMRANGEBYRANK $z %i %i",
    "ZREMRANGEBYSCORE $z %i %f",
    "ZUNIONSTORE $z 2 $z $t WEIGHTS 2 %i",
    "ZINTERSTORE $z 2 $z $z AGGREGATE MAX",
    "ZDIFFSTORE $z 2 $z $z",
    "ZRANGESTORE $z $z 0 %u",
    "GEOADD $g %i.5 %i.25 %m",
    "GEOSEARCHSTORE $z $g FROMLONLAT 1 1 BYRADIUS 900 km STOREDIST",
    "SORT $t ALPHA STORE $l",
    "SORT $l ALPHA DESC STORE $k",
    "XADD $x * %m %t",
    "XADD $x %n %m %t %m %t",
    "XADD $x MAXLEN ~ 5 * %m %t",
    "XADD $x NOMKSTREAM MINID = %n * %m %t",
    "XDEL $x %n %n",
    "XTRIM $x MAXLEN %u",
    "XTRIM $x MINID ~ %n",
    "XSETID $x %n",
    "XSETID $x %n ENTRIESADDED %u MAXDELETEDID %n",
    "XGROUP CREATE $x readers %n MKSTREAM",
    "XGROUP CREATE $x others $ ENTRIESREAD %u",
    "XGROUP SETID $x readers %n",
    "XGROUP SETID $x readers %n ENTRIESREAD %u",
    "XGROUP DESTROY $x others",
    "XGROUP CREATECONSUMER $x readers %m",
    "XGROUP DELCONSUMER $x readers ann",
    "XREADGROUP GROUP readers ann COUNT 3 STREAMS $x >",
    "XREADGROUP GROUP readers bob NOACK COUNT 2 STREAMS $x >",
    "XREADGROUP GROUP others ann COUNT 3 STREAMS $x %n",
    "XREADGROUP GROUP readers bob STREAMS $x 0",
    "XACK $x readers %n %n",
    "XCLAIM $x readers bob 0 %n %n",
    "XCLAIM $x readers bob 0 %n FORCE",
    "XCLAIM $x others ann 0 %n TIME %u RETRYCOUNT %u JUSTID FORCE LASTID %n",
    "XAUTOCLAIM $x readers ann 0 %n COUNT 5",
    "XAUTOCLAIM $x others bob 0 0 JUSTID",
    "BF.RESERVE $b 0.01 %u",
    "BF.RESERVE $b 0.1 9 NONSCALING",
    "BF.ADD $b %m",
    "BF.MADD $b %m %t %t",
    "BF.INSERT $b CAPACITY 5 EXPANSION 2 ITEMS %m %t",
    "DEL $k $k",
    "UNLINK $k",
    "DELIFEQ $s %m",
    "EXPIRE $k 7000",
    "PEXPIREAT $k %w",
    "PEXPIRE $k %e",
    "EXPIREAT $k 1",
    "PERSIST $k",
    "RENAME $k $k",
    "RENAMENX $k $k",
    "COPY $k $k REPLACE",
    "COPY $k $k DB %d REPLACE",
    "MOVE $k %d",
    "RESTORE $k 0 %p REPLACE",
    "RESTORE $k 0 %p",
    "RESTORE $k %w %p REPLACE ABSTTL",
    "RESTORE $k 9000000 %p REPLACE",
    "RESTORE $x 0 %p REPLACE",
    "RESTORE $h 0 %p REPLACE",
    "RESTORE $x 0 %p REPLACE",
    "RESTORE $h 0 %p REPLACE",
};

}  // namespace

RandomCommands::RandomCommands(runtime::SimDice& dice, std::string prefix, Ends ends)
    : dice_(dice), prefix_(std::move(prefix)), ends_(ends) {
  for (const char type : kTypes) {
    for (std::uint64_t i = 0; i < kKeysOfType; ++i) {
      keys_.push_back(prefix_ + type + std::to_string(i));
    }
  }
}

world::Words RandomCommands::next() {
  for (;;) {
    std::string_view rest = kPatterns[dice_.below(std::size(kPatterns))];
    if (ends_ == Ends::no && rest.find("%e") != std::string_view::npos) continue;
    world::Words words;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      words.push_back(word(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return words;
  }
}

// `#%u` has something before, `%i.5` behind it.
std::string RandomCommands::word(std::string_view pattern) {
  if (pattern.size() == 2 && pattern[0] == '$') return key(pattern.substr(1));
  const std::size_t at = pattern.find('%');
  if (at == std::string_view::npos || at + 1 >= pattern.size()) return std::string(pattern);
  const auto number = [this](std::int64_t low, std::int64_t high) {
    return std::to_string(dice_.between(low, high));
  };
  std::string made;
  switch (pattern[at + 1]) {
    case 't':
      made = text();
      break;
    case 'm':
      made = dice_.coin() ? "m" + number(0, 7) : number(-2, 5);
      break;
    case 'i':
      made = number(-4, 9);
      break;
    case 'u':
      made = number(0, 40);
      break;
    case 'f':
      made = number(-9, 9) + "." + number(0, 99);
      break;
    case 'n':
      made = number(0, 6) + "-" + number(0, 9);
      break;
    case 'w':
      made = number(4'000'000'000'000, 4'000'000'900'000);
      break;
    case 'e':
      made = number(1, 40);
      break;
    case 'd':
      made = number(0, 3);
      break;
    default:
      made = random_payload(dice_, ends_);
  }
  return std::string(pattern.substr(0, at)) + made + std::string(pattern.substr(at + 2));
}

std::string RandomCommands::key(std::string_view type) {
  if (type == "k" || dice_.below(25) == 0) return keys_[dice_.below(keys_.size())];
  return prefix_ + std::string(type) + std::to_string(dice_.below(kKeysOfType));
}

std::string RandomCommands::text() {
  switch (dice_.below(8)) {
    case 0:
      return {};
    case 1:
      return std::to_string(static_cast<std::int64_t>(dice_.next()) >> dice_.below(64));
    case 2:
      return std::string(static_cast<std::size_t>(dice_.between(40, 3000)), 'x');
    case 3:
      return std::string("\0\r\n\xff", 4);
    default:
      return "text" + std::to_string(dice_.below(30));
  }
}

}  // namespace slotcar::sim
