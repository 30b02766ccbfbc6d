#include "transcripts/transcript.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/numbers.h"
#include "resp/words.h"

namespace slotcar::transcripts {

namespace {

struct Line {
  int number;
  std::string text;
};

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  std::istringstream in{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
    lines.push_back({number, line});
  }
  return lines;
}

// "> SET k v", "B> GET k".
bool is_command(std::string_view line) {
  if (!line.empty() && line[0] >= 'A' && line[0] <= 'Z') line.remove_prefix(1);
  return line.starts_with("> ");
}

// "<", "B<".
bool is_arrival(std::string_view line) {
  if (!line.empty() && line[0] >= 'A' && line[0] <= 'Z') line.remove_prefix(1);
  return line == "<";
}

bool ends_reply(std::string_view line) {
  return line.empty() || line[0] == '#' || line[0] == '@' || is_command(line) || is_arrival(line);
}

bool parse_duration(std::string_view text, runtime::Nanos& duration) {
  std::size_t digits = 0;
  runtime::Nanos amount = 0;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9' && digits < 9;
       ++digits) {
    amount = amount * 10 + (text[digits] - '0');
  }
  const std::string_view unit = text.substr(digits);
  if (digits == 0) return false;
  const runtime::Nanos each = unit == "us"   ? 1000
                              : unit == "ms" ? runtime::kMillisecond
                              : unit == "s"  ? runtime::kSecond
                                             : 0;
  duration = amount * each;
  return each != 0;
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : lines_(lines_of(text)) {
    result_.file = file;
  }

  Result<Transcript> parse() {
    while (at_ < lines_.size()) {
      const std::string& line = lines_[at_].text;
      Status status;
      if (line.empty() || line[0] == '#') {
        ++at_;
      } else if (is_command(line)) {
        status = command();
      } else if (is_arrival(line)) {
        status = arrival();
      } else if (line[0] == '@') {
        status = directive();
      } else {
        status = Error{"neither a command nor a directive, and no command before it"};
      }
      if (!status) {
        return Error{
            fmt::format("{}:{}: {}", result_.file, lines_[begin()].number, status.error().message)};
      }
    }
    return std::move(result_);
  }

 private:
  // The line that is being read, for an error.
  std::size_t begin() const { return std::min(at_, lines_.size() - 1); }

  Status command() {
    const std::string& line = lines_[at_].text;
    Step step;
    step.line = lines_[at_].number;
    const std::size_t mark = line.find('>');
    step.connection = line.substr(0, mark);
    step.text = line.substr(mark + 2);
    auto words = resp::split_words(step.text);
    if (!words || words->empty()) return Error{"a quote is not closed, or nothing is to be sent"};
    step.words = std::move(*words);
    return with_reply(std::move(step));
  }

  Status arrival() {
    const std::string& line = lines_[at_].text;
    Step step;
    step.kind = Step::Kind::arrival;
    step.line = lines_[at_].number;
    step.connection = line.substr(0, line.find('<'));
    step.text = line;
    return with_reply(std::move(step));
  }

  // Reads the lines of the reply that follow.
  Status with_reply(Step step) {
    std::vector<std::string> reply;
    std::size_t next = at_ + 1;
    for (; next < lines_.size() && !ends_reply(lines_[next].text); ++next) {
      reply.push_back(lines_[next].text);
    }
    if (reply.empty()) return Error{"a command without a reply; write (any) or (none)"};
    for (const std::string& text : reply) {
      step.reply_text += (step.reply_text.empty() ? "" : "\n") + text;
    }
    if (reply.back() == "(close)") {
      step.closes = true;
      reply.pop_back();
    }
    if (reply == std::vector<std::string>{"(none)"}) reply.clear();
    step.replies = !reply.empty();
    if (step.replies) {
      auto pattern = parse_reply(reply);
      if (!pattern) return pattern.error();
      step.reply = std::move(*pattern);
    }
    result_.steps.push_back(std::move(step));
    at_ = next;
    return {};
  }

  Status directive() {
    const std::string& line = lines_[at_].text;
    if (line.starts_with("@not ")) return exclusion(line.substr(5));
    auto words = resp::split_words(line);
    if (!words) return Error{"a quote is not closed"};
    Step step;
    step.line = lines_[at_].number;
    step.text = line;
    if (words->size() == 2 && (*words)[0] == "@wait") {
      step.kind = Step::Kind::wait;
      if (!parse_duration((*words)[1], step.duration)) return Error{"@wait 20ms; also us and s"};
    } else if (words->size() == 2 && (*words)[0] == "@blocked") {
      step.kind = Step::Kind::blocked;
      const auto clients = base::parse_int64((*words)[1]);
      if (!clients || *clients < 0) return Error{"@blocked 2"};
      step.clients = *clients;
    } else if (words->size() == 3 && (*words)[0] == "@config") {
      step.kind = Step::Kind::config;
      step.words = {(*words)[1], (*words)[2]};
    } else {
      return Error{"not a directive: " + line};
    }
    result_.steps.push_back(std::move(step));
    ++at_;
    return {};
  }

  Status exclusion(const std::string& text) {
    const std::size_t colon = text.find(": ");
    if (colon == std::string::npos) return Error{"@not WORLD: reason"};
    const std::string world = text.substr(0, colon);
    constexpr std::string_view kWorlds[] = {"multi",  "resp3",     "sim",     "live",     "kept",
                                            "logged", "pipelined", "restart", "snapshot", "script"};
    if (std::find(std::begin(kWorlds), std::end(kWorlds), world) == std::end(kWorlds)) {
      return Error{"there is no world named " + world};
    }
    if (!result_.steps.empty()) return Error{"@not stands at the top, before all commands"};
    result_.not_in[world] = text.substr(colon + 2);
    ++at_;
    return {};
  }

  std::vector<Line> lines_;
  std::size_t at_ = 0;
  Transcript result_;
};

}  // namespace

Result<Transcript> parse(std::string_view text, const std::string& file) {
  return Parser(text, file).parse();
}

Result<Transcript> parse_file(const std::string& path) {
  std::ifstream in(path);
  if (!in) return Error{path + " cannot be read"};
  std::ostringstream text;
  text << in.rdbuf();
  return parse(text.str(), path);
}

}  // namespace slotcar::transcripts
