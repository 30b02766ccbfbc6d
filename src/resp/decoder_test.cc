#include "resp/decoder.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace slotcar::resp {
namespace {

using Request = std::vector<std::string>;

// What came out of a stream: requests, and the error that ended it, if any.
struct Result {
  std::vector<Request> requests;
  std::string error;
  bool operator==(const Result&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Result& result) {
  for (const Request& request : result.requests) {
    out << "[";
    for (const std::string& argument : request) {
      out << " " << argument.substr(0, 40) << "(" << argument.size() << ")";
    }
    out << " ]";
  }
  return out << " error: " << result.error;
}

// Drives a decoder as a session does: reads what fits, takes requests in batches, answers them.
class Stream {
 public:
  explicit Stream(DecoderLimits limits = {}) { decoder.set_limits(limits); }

  void send(std::string_view bytes) {
    while (!bytes.empty() && result.error.empty()) {
      const Decoder::Room room = decoder.prepare();
      ASSERT_GT(room.size, 0u);
      const std::size_t size = std::min(room.size, bytes.size());
      std::memcpy(room.data, bytes.data(), size);
      decoder.received(size);
      bytes.remove_prefix(size);
      while (take_batch()) {
      }
      footprint_max = std::max(footprint_max, decoder.footprint());
    }
  }

  // Views must hold until the release, so they are read only then.
  bool take_batch() {
    std::vector<Arguments> batch;
    Decoder::Outcome outcome = Decoder::Outcome::request;
    while (batch.size() < 4) {
      Arguments arguments;
      outcome = decoder.next(arguments);
      if (outcome != Decoder::Outcome::request) {
        EXPECT_TRUE(arguments.empty());
        break;
      }
      batch.push_back(std::move(arguments));
    }
    for (const Arguments& arguments : batch) {
      Request request;
      for (std::size_t i = 0; i < arguments.size(); ++i) {
        request.emplace_back(arguments[i]);
        if (const base::SharedBytes* shared = arguments.shared(i)) {
          EXPECT_EQ(shared->view(), arguments[i]);
          ++shared_arguments;
        }
      }
      result.requests.push_back(std::move(request));
    }
    decoder.release();
    if (outcome == Decoder::Outcome::error) result.error = decoder.error();
    return outcome == Decoder::Outcome::request;
  }

  BlockPool pool;
  Decoder decoder{&pool, nullptr};
  Result result;
  int shared_arguments = 0;
  std::size_t footprint_max = 0;
};

Result decode(std::string_view bytes, DecoderLimits limits = {}) {
  Stream stream(limits);
  stream.send(bytes);
  return stream.result;
}

Result decode_in_two(std::string_view bytes, std::size_t cut, DecoderLimits limits = {}) {
  Stream stream(limits);
  stream.send(bytes.substr(0, cut));
  stream.send(bytes.substr(cut));
  return stream.result;
}

Result decode_by_steps(std::string_view bytes, std::size_t step, DecoderLimits limits = {}) {
  Stream stream(limits);
  for (std::size_t at = 0; at < bytes.size(); at += step) stream.send(bytes.substr(at, step));
  return stream.result;
}

std::string encode(const Request& request) {
  std::string bytes = "*" + std::to_string(request.size()) + "\r\n";
  for (const std::string& argument : request) {
    bytes += "$" + std::to_string(argument.size()) + "\r\n" + argument + "\r\n";
  }
  return bytes;
}

struct Case {
  std::string_view bytes;
  Result expected;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {
      {"*1\r\n$4\r\nPING\r\n", {{{"PING"}}, ""}},
      {"*2\r\n$3\r\nGET\r\n$1\r\na\r\n*1\r\n$4\r\nPING\r\n", {{{"GET", "a"}, {"PING"}}, ""}},
      {"*2\r\n$3\r\nGET\r\n$0\r\n\r\n", {{{"GET", ""}}, ""}},
      {"*1\r\n$0\r\n\r\n", {{{""}}, ""}},
      {"*3\r\n$3\r\nSET\r\n$1\r\na\r\n$4\r\n\r\n\r\n\r\n", {{{"SET", "a", "\r\n\r\n"}}, ""}},
      // An empty request is skipped.
      {"*0\r\n*-1\r\n*-10\r\n*1\r\n$4\r\nPING\r\n", {{{"PING"}}, ""}},
      {"\r\n\n  \t \r\nPING\r\n\r\n", {{{"PING"}}, ""}},
      {"*0\r\nPING\n*1\r\n$1\r\na\r\n", {{{"PING"}, {"a"}}, ""}},
      // Redis looks neither at the byte behind CR nor at the two behind an argument.
      {"*1\rX$4\rXPINGXX*1\r\n$1\r\na\r\n", {{{"PING"}, {"a"}}, ""}},
      // Inline commands.
      {"PING\r\n", {{{"PING"}}, ""}},
      {"PING\n", {{{"PING"}}, ""}},
      {"SET  a\tb \r\n", {{{"SET", "a", "b"}}, ""}},
      {"ECHO \"a b\"\r\n", {{{"ECHO", "a b"}}, ""}},
      {"ECHO \"a\\x41\\n\\r\\t\\b\\a\\q\\\"\\\\\"\n", {{{"ECHO", "aA\n\r\t\b\aq\"\\"}}, ""}},
      {"ECHO \"\\xfF\\x4\\xg1\"\n", {{{"ECHO", "\xffx4xg1"}}, ""}},
      {"ECHO 'a\\'b\\n\"'\r\n", {{{"ECHO", "a'b\\n\""}}, ""}},
      {"ECHO a\"b c\"\n", {{{"ECHO", "ab c"}}, ""}},
      {"ECHO \"\" ''\n", {{{"ECHO", "", ""}}, ""}},
      {"ECHO a\vb\rc\n", {{{"ECHO", "a\vb", "c"}}, ""}},
      {"\vECHO x\r\r\n", {{{"ECHO", "x"}}, ""}},
      {"\"\"\n", {{{""}}, ""}},
      {"$5\r\n", {{{"$5"}}, ""}},
      {std::string_view("ECHO a\0b\n", 9), {{{"ECHO", std::string("a\0b", 3)}}, ""}},
      {"ECHO \"a\"b\n", {{}, "Protocol error: unbalanced quotes in request"}},
      {"ECHO 'a'b\n", {{}, "Protocol error: unbalanced quotes in request"}},
      {"ECHO \"abc\r\n", {{}, "Protocol error: unbalanced quotes in request"}},
      {"ECHO 'abc\r\n", {{}, "Protocol error: unbalanced quotes in request"}},
      {"ECHO \"\\\"\n", {{}, "Protocol error: unbalanced quotes in request"}},
      {"ECHO it's\n", {{}, "Protocol error: unbalanced quotes in request"}},
      // Headers.
      {"*\r\n", {{}, "Protocol error: invalid multibulk length"}},
      {"*01\r\n", {{}, "Protocol error: invalid multibulk length"}},
      {"*-0\r\n", {{}, "Protocol error: invalid multibulk length"}},
      {"*+1\r\n", {{}, "Protocol error: invalid multibulk length"}},
      {"* 1\r\n", {{}, "Protocol error: invalid multibulk length"}},
      {"*abc\r\n", {{}, "Protocol error: invalid multibulk length"}},
      {"*1a\r\n", {{}, "Protocol error: invalid multibulk length"}},
      {"*2147483648\r\n", {{}, "Protocol error: invalid multibulk length"}},
      {"*99999999999999999999\r\n", {{}, "Protocol error: invalid multibulk length"}},
      {"*1\r\n!4\r\nPING\r\n", {{}, "Protocol error: expected '$', got '!'"}},
      {"*1\r\n\r\n\r\n", {{}, "Protocol error: expected '$', got '\r'"}},
      {"*1\r\n$-1\r\n", {{}, "Protocol error: invalid bulk length"}},
      {"*1\r\n$\r\n", {{}, "Protocol error: invalid bulk length"}},
      {"*1\r\n$04\r\nPING\r\n", {{}, "Protocol error: invalid bulk length"}},
      {"*1\r\n$4x\r\nPING\r\n", {{}, "Protocol error: invalid bulk length"}},
      {"*1\r\n$536870913\r\n", {{}, "Protocol error: invalid bulk length"}},
      {"*1\r\n$99999999999999999999\r\n", {{}, "Protocol error: invalid bulk length"}},
      // Requests before the mistake are still answered.
      {"*1\r\n$4\r\nPING\r\n*x\r\nPING\r\n",
       {{{"PING"}}, "Protocol error: invalid multibulk length"}},
      {"*2\r\n$4\r\nPING\r\n:1\r\n", {{}, "Protocol error: expected '$', got ':'"}},
      // Not yet complete, and not yet wrong.
      {"*", {{}, ""}},
      {"*2147483647\r\n", {{}, ""}},
      {"*1\r\n!4", {{}, ""}},
      {"*1\r\n$4\r\nPING\r", {{}, ""}},
      {"*1\r\n$536870912\r\n", {{}, ""}},
      {"PING", {{}, ""}},
  };
  return kCases;
}

TEST(Decoder, DecodesAsRedis) {
  for (const Case& c : cases()) EXPECT_EQ(decode(c.bytes), c.expected) << c.bytes;
}

TEST(Decoder, CutsMakeNoDifference) {
  for (const Case& c : cases()) {
    for (std::size_t cut = 0; cut <= c.bytes.size(); ++cut) {
      EXPECT_EQ(decode_in_two(c.bytes, cut), c.expected) << c.bytes << " cut at " << cut;
    }
    EXPECT_EQ(decode_by_steps(c.bytes, 1), c.expected) << c.bytes;
  }
}

// What is remembered of one cut must not affect the next.
TEST(Decoder, EveryPairOfCuts) {
  const Request request = {"SET", std::string(100, 'k'), "", std::string(12, 'v'), "x"};
  const std::string bytes = encode(request) + "PING\r\n*0\r\n" + encode({"GET", "a"});
  const Result expected{{request, {"PING"}, {"GET", "a"}}, ""};
  for (std::size_t first = 0; first < bytes.size(); ++first) {
    for (std::size_t second = first + 1; second < bytes.size(); ++second) {
      Stream stream;
      stream.send(std::string_view(bytes).substr(0, first));
      stream.send(std::string_view(bytes).substr(first, second - first));
      stream.send(std::string_view(bytes).substr(second));
      ASSERT_EQ(stream.result, expected) << first << " " << second;
    }
  }
}

TEST(Decoder, LinesAreBounded) {
  const std::string long_line(limits::kInlineBytesMax + 1, '1');
  const struct {
    std::string bytes;
    const char* error;
  } kCases[] = {
      {"x" + long_line, "Protocol error: too big inline request"},
      {"*" + long_line, "Protocol error: too big mbulk count string"},
      {"*1\r\n$" + long_line, "Protocol error: too big bulk count string"},
      // The longest line that is still looked at.
      {"*" + long_line.substr(2) + "\r\n", "Protocol error: invalid multibulk length"},
      {"*1\r\n$" + long_line.substr(2) + "\r\n", "Protocol error: invalid bulk length"},
  };
  for (const auto& c : kCases) {
    for (std::size_t step : {1u << 20, 16384u, 1000u, 7u}) {
      EXPECT_EQ(decode_by_steps(c.bytes, step), (Result{{}, c.error})) << step;
    }
  }
  EXPECT_EQ(decode(std::string(limits::kInlineBytesMax, 'x') + "\n").requests.size(), 1u);
  EXPECT_EQ(decode(std::string(limits::kInlineBytesMax, 'x')), Result{});
}

TEST(Decoder, AStrangerMaySendLittle) {
  DecoderLimits stranger;
  stranger.authenticated = false;
  EXPECT_EQ(decode("*11\r\n", stranger).error, "Protocol error: unauthenticated multibulk length");
  EXPECT_EQ(decode("*10\r\n", stranger).error, "");
  EXPECT_EQ(decode("*1\r\n$16385\r\n", stranger).error,
            "Protocol error: unauthenticated bulk length");
  const Request largest = {"AUTH", std::string(16384, 'x')};
  EXPECT_EQ(decode(encode(largest), stranger), (Result{{largest}, ""}));
  // The argument is there, complete, in a buffer that an earlier request made large enough.
  Stream stream(stranger);
  stream.send("*2\r\n$16384\r\n" + std::string(16384, 'x'));
  stream.send("\r\n$16385\r\n" + std::string(16385, 'x') + "\r\n");
  EXPECT_EQ(stream.result.error, "Protocol error: unauthenticated bulk length");
  // A whole request at once, likewise.
  Stream whole(stranger);
  whole.send("*1\r\n$16384\r\n" + std::string(16384, 'x'));
  whole.send("\r\n" + encode({std::string(16385, 'x')}));
  EXPECT_EQ(whole.result.error, "Protocol error: unauthenticated bulk length");
}

TEST(Decoder, LimitsAreTheOwners) {
  DecoderLimits small;
  small.count_max = 2;
  small.bulk_bytes_max = 5;
  EXPECT_EQ(decode("*3\r\n", small).error, "Protocol error: invalid multibulk length");
  EXPECT_EQ(decode(encode({"a", "b", "c"}), small).error,
            "Protocol error: invalid multibulk length");
  EXPECT_EQ(decode("*1\r\n$6\r\nabcdef\r\n", small).error, "Protocol error: invalid bulk length");
  EXPECT_EQ(decode("*1\r\n$5\r\nabcde\r\n", small), (Result{{{"abcde"}}, ""}));
}

TEST(Decoder, AnErrorIsTheEnd) {
  Decoder decoder(nullptr, nullptr);
  const std::string_view bytes = "*x\r\nPING\r\n";
  std::memcpy(decoder.prepare().data, bytes.data(), bytes.size());
  decoder.received(bytes.size());
  Arguments arguments;
  EXPECT_EQ(decoder.next(arguments), Decoder::Outcome::error);
  EXPECT_EQ(decoder.next(arguments), Decoder::Outcome::error);
  decoder.release();
  EXPECT_FALSE(decoder.holds_block());
  EXPECT_EQ(decoder.next(arguments), Decoder::Outcome::error);
}

TEST(Decoder, OfABigArgumentJustWhatHasComeIsBuffered) {
  Stream stream;
  stream.send("*2\r\n$3\r\nSET\r\n$100000\r\n" + std::string(70'000, 'v'));
  EXPECT_EQ(stream.decoder.buffered(), 70'000u);
}

TEST(Decoder, AnIdleConnectionHoldsNothing) {
  Stream stream;
  EXPECT_FALSE(stream.decoder.holds_block());
  stream.send("*1\r\n$4\r\nPI");
  EXPECT_TRUE(stream.decoder.holds_block());
  EXPECT_EQ(stream.decoder.buffered(), 10u);
  stream.send("NG\r\n");
  EXPECT_FALSE(stream.decoder.holds_block());
  EXPECT_EQ(stream.decoder.buffered(), 0u);
  stream.decoder.prepare();  // The socket had nothing after all.
  EXPECT_TRUE(stream.decoder.holds_block());
  stream.decoder.received(0);
  stream.decoder.release();
  EXPECT_FALSE(stream.decoder.holds_block());
}

TEST(Decoder, ABlockGoesFromConnectionToConnection) {
  BlockPool pool;
  Decoder first(&pool, nullptr);
  Decoder second(&pool, nullptr);
  const char* block = first.prepare().data;
  first.release();
  EXPECT_EQ(second.prepare().data, block);
}

TEST(Decoder, ABigArgumentIsReceivedWhereItStays) {
  const std::string value(1'000'000, 'v');
  const std::string bytes = encode({"SET", "key", value});
  Stream stream;
  stream.send(bytes.substr(0, 100));
  const Decoder::Room room = stream.decoder.prepare();
  EXPECT_EQ(room.size, bytes.size() - 100);  // the rest of the argument and its line end, no more
  stream.send(bytes.substr(100) + "*1\r\n$4\r\nPING\r\n");
  EXPECT_EQ(stream.result, (Result{{{"SET", "key", value}, {"PING"}}, ""}));
  EXPECT_EQ(stream.shared_arguments, 1);
  EXPECT_LT(stream.footprint_max, value.size() + 64 * 1024);
}

TEST(Decoder, APromisedLengthIsNoMemory) {
  Stream stream;
  stream.send("*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$536870912\r\nabc");
  EXPECT_LT(stream.decoder.footprint(), 200u * 1024);
  EXPECT_EQ(stream.decoder.buffered(), 3u);
  stream.send(std::string(1'000'000, 'x'));
  EXPECT_GT(stream.decoder.footprint(), 1'000'000u);
  EXPECT_LT(stream.decoder.footprint(), 1'200'000u);
}

TEST(Decoder, ALengthBeyondAllMemoryIsAnError) {
  Stream stream;
  DecoderLimits limits;
  limits.bulk_bytes_max = std::size_t{1} << 62;
  stream.decoder.set_limits(limits);
  stream.send("*2\r\n$3\r\nGET\r\n$1000000000000000\r\n");
  EXPECT_EQ(stream.result,
            (Result{{}, "Protocol error: not enough memory for a bulk of that length"}));
}

TEST(Decoder, BigArgumentsCutAnywhere) {
  const Request request = {"MSET",
                           "a",
                           std::string(limits::kBigArgumentBytes, 'x'),
                           "",
                           std::string(limits::kBigArgumentBytes + 17, 'y'),
                           "tail"};
  const std::string bytes = encode(request) + encode({"PING"}) + encode(request);
  const Result expected{{request, {"PING"}, request}, ""};
  for (std::size_t step : {1u, 2u, 3u, 1000u, 16383u, 32768u, 1u << 20}) {
    EXPECT_EQ(decode_by_steps(bytes, step), expected) << step;
  }
  // Around each interesting place: headers, beginnings and ends of the big ones.
  const std::size_t first_end = bytes.find("xx\r\n");
  for (std::size_t cut = 0; cut < 60; ++cut) {
    EXPECT_EQ(decode_in_two(bytes, cut), expected) << cut;
    EXPECT_EQ(decode_in_two(bytes, first_end - 20 + cut), expected) << cut;
  }
}

TEST(Decoder, ABigArgumentMayBeKept) {
  Decoder decoder(nullptr, nullptr);
  const std::string value(limits::kBigArgumentBytes, 'v');
  const std::string bytes = encode({"SET", "k", value});
  std::string_view rest = bytes;
  Arguments arguments;
  Decoder::Outcome outcome = Decoder::Outcome::incomplete;
  while (!rest.empty()) {
    const Decoder::Room room = decoder.prepare();
    const std::size_t size = std::min(room.size, rest.size());
    std::memcpy(room.data, rest.data(), size);
    decoder.received(size);
    rest.remove_prefix(size);
    outcome = decoder.next(arguments);
  }
  ASSERT_EQ(outcome, Decoder::Outcome::request);
  EXPECT_EQ(arguments.shared(1), nullptr);
  ASSERT_NE(arguments.shared(2), nullptr);
  const base::SharedBytes kept = *arguments.shared(2);
  arguments.clear();
  decoder.release();
  EXPECT_TRUE(kept.sole_owner());
  EXPECT_EQ(kept.view(), value);
}

TEST(Decoder, GrowsWithManyArgumentsAndShrinksAgain) {
  Request request = {"MSET"};
  for (int i = 0; i < 20'000; ++i) {
    request.push_back("key:" + std::to_string(i));
    request.push_back(i % 7 ? std::string(static_cast<std::size_t>(i % 50), 'v') : "");
  }
  const std::string bytes = encode(request);
  for (std::size_t step : {777u, 16384u, 100'000u}) {
    Stream stream;
    stream.send("*1\r\n$4\r\nPING\r\n");
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      stream.send(std::string_view(bytes).substr(at, step));
    }
    EXPECT_EQ(stream.result, (Result{{{"PING"}, request}, ""})) << step;
    EXPECT_GT(stream.footprint_max, bytes.size() / 2);
    stream.send("*1\r\n$4\r\nPI");
    EXPECT_LT(stream.decoder.footprint(), 2 * BlockPool::kBlockBytes);
    stream.send("NG\r\n");
    EXPECT_EQ(stream.result.requests.size(), 3u);
  }
}

// The request behind a large one arrives with it; the large buffer must not stay for its sake.
TEST(Decoder, ShrinksUnderAPartialRequest) {
  Stream stream;
  stream.send(encode({"SET", "k", std::string(30'000, 'v')}) + "*2\r\n$4\r\nECHO\r\n$40\r\na");
  EXPECT_GT(stream.decoder.footprint(), BlockPool::kBlockBytes * 3 / 2);
  // The large block is kept for a while, because large arguments rarely come alone.
  for (int i = 0; i < 38; ++i) stream.send("b");
  EXPECT_LT(stream.decoder.footprint(), BlockPool::kBlockBytes * 3 / 2);
  stream.send("c\r\n");
  EXPECT_EQ(stream.result.requests.back(), (Request{"ECHO", "a" + std::string(38, 'b') + "c"}));
}

// A large block filled to its last byte, with a small request begun at its end: there must be room
// for the rest of it, or the owner would mistake "no bytes" for the end of the connection.
TEST(Decoder, AFullLargeBlockMakesRoom) {
  Stream stream;
  stream.send(encode({"SET", "k", std::string(30'000, 'v')}));
  std::string small;
  while (small.size() < 2 * BlockPool::kLargeBlockBytes) small += encode({"ECHO", "abc"});
  const std::size_t before = stream.result.requests.size();
  std::string_view rest = small;
  while (!rest.empty()) {
    const Decoder::Room room = stream.decoder.prepare();
    ASSERT_GT(room.size, 0u);
    const std::size_t size = std::min(room.size, rest.size());
    std::memcpy(room.data, rest.data(), size);
    stream.decoder.received(size);
    rest.remove_prefix(size);
    Arguments arguments;
    while (stream.decoder.next(arguments) == Decoder::Outcome::request) {
      stream.result.requests.push_back({std::string(arguments[0]), std::string(arguments[1])});
    }
    stream.decoder.release();
  }
  EXPECT_EQ(stream.result.requests.size() - before, small.size() / encode({"ECHO", "abc"}).size());
}

TEST(Decoder, PromisesCostNothing) {
  Stream stream;
  stream.send("*2147483647\r\n$3\r\nDEL\r\n$30000\r\nabc");
  EXPECT_LT(stream.decoder.footprint(), 200u * 1024);
}

RC_GTEST_PROP(Decoder, RoundTrip, ()) {
  const auto argument =
      rc::gen::oneOf(rc::gen::arbitrary<std::string>(),
                     rc::gen::map(rc::gen::inRange<std::size_t>(0, 50'000),
                                  [](std::size_t size) { return std::string(size, 'z'); }));
  const auto requests =
      *rc::gen::resize(8, rc::gen::container<std::vector<Request>>(
                              rc::gen::nonEmpty(rc::gen::container<Request>(argument))));
  const auto cuts =
      *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(1, 9000));
  std::string bytes;
  for (const Request& request : requests) bytes += encode(request);
  Stream stream;
  std::string_view rest = bytes;
  for (std::size_t cut : cuts) {
    stream.send(rest.substr(0, cut));
    rest.remove_prefix(std::min(cut, rest.size()));
  }
  stream.send(rest);
  RC_ASSERT(stream.result == (Result{requests, ""}));
  RC_ASSERT(!stream.decoder.holds_block());
}

}  // namespace
}  // namespace slotcar::resp
