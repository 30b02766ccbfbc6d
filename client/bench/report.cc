// The results of a run as text, JSON and a chart.
#include <fmt/format.h>

#include <cmath>

#include "load.h"

namespace slotcar::bench {
namespace {

struct Quantile {
  const char* name;
  double percent;
};
constexpr Quantile kQuantiles[] = {
    {"p50_ms", 50}, {"p90_ms", 90}, {"p99_ms", 99}, {"p999_ms", 99.9}, {"max_ms", 100}};

double ms(const base::Histogram& histogram, double percent) {
  return static_cast<double>(histogram.percentile(percent)) / 1e6;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) out += c;
  }
  return out + '"';
}

bool is_empty(const Series& series) {
  return series.count() == 0 && series.errors().empty();
}

// The position of a value in the chart: horizontally the "nines" of the percentile, vertically the
// logarithm of the latency. The usual chart of an HDR histogram.
struct Axes {
  static constexpr double kWidth = 640, kHeight = 360, kLeft = 60, kTop = 20, kNines = 5;
  static constexpr double kLow = -2;  // 0.01 ms
  double high;

  double x(double percent) const {
    const double nines = percent >= 100 ? kNines : -std::log10(1 - percent / 100);
    return kLeft + std::min(nines, kNines) / kNines * kWidth;
  }
  double y(double value) const {
    const double at = (std::log10(std::max(value, 0.01)) - kLow) / std::max(1.0, high - kLow);
    return kTop + kHeight - at * kHeight;
  }
};

}  // namespace

std::string as_text(const Outcome& outcome) {
  std::string out = fmt::format("{}: {:.1f} s, {} connections, {}, client CPU {:.2f} us per call\n",
                                outcome.settings.scenario, outcome.seconds, outcome.connections,
                                outcome.strategy, outcome.cpu_us_per_call);
  out += fmt::format("{:<12} {:>10} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "", "per second", "p50 ms",
                     "p90 ms", "p99 ms", "p99.9 ms", "max ms");
  for (const auto& [name, series] : outcome.series) {
    if (is_empty(*series)) continue;
    const base::Histogram& h = series->histogram();
    out += fmt::format("{:<12} {:>10.0f}", name, static_cast<double>(h.count()) / outcome.seconds);
    for (const Quantile& q : kQuantiles) out += fmt::format(" {:>9.3f}", ms(h, q.percent));
    out += "\n";
    for (const auto& [why, times] : series->errors()) out += fmt::format("  {} x {}\n", times, why);
  }
  return out;
}

std::string as_json(const Outcome& outcome) {
  const Settings& s = outcome.settings;
  std::string out = fmt::format(
      "{{\"scenario\": {}, \"uri\": {}, \"mode\": {}, \"lane_strategy\": {}, \"connections\": {}, "
      "\"callers\": {}, \"slow_callers\": {}, \"link_mb_per_s\": {}, \"rate\": {}, "
      "\"seconds\": {:.3f}, \"client_cpu_us_per_call\": {:.3f}",
      quoted(s.scenario), quoted(s.uri), quoted(s.mode.empty() ? "laned" : s.mode),
      quoted(outcome.strategy), outcome.connections, s.callers,
      s.scenario == "hol" ? s.slow_callers : 0, s.link_mb_per_s, s.rate, outcome.seconds,
      outcome.cpu_us_per_call);
  for (const auto& [name, series] : outcome.series) {
    if (is_empty(*series)) continue;
    const base::Histogram& h = series->histogram();
    std::int64_t errors = 0;
    for (const auto& [why, times] : series->errors()) errors += times;
    out +=
        fmt::format(", {}: {{\"per_second\": {:.1f}, \"calls\": {}, \"errors\": {}", quoted(name),
                    static_cast<double>(h.count()) / outcome.seconds, h.count(), errors);
    for (const Quantile& q : kQuantiles) {
      out += fmt::format(", \"{}\": {:.4f}", q.name, ms(h, q.percent));
    }
    out += "}";
  }
  return out + "}\n";
}

std::string as_svg(const Outcome& outcome) {
  double highest = 0.1;
  for (const auto& [name, series] : outcome.series) {
    highest = std::max(highest, ms(series->histogram(), 100));
  }
  const Axes axes{std::ceil(std::log10(highest))};
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" "
      "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"white\"/>\n",
      Axes::kLeft + Axes::kWidth + 110, Axes::kTop + Axes::kHeight + 40);
  for (double decade = Axes::kLow; decade <= axes.high; ++decade) {
    const double at = axes.y(std::pow(10, decade));
    out += fmt::format(
        "<line x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>"
        "<text x=\"4\" y=\"{:.1f}\">{:g} ms</text>\n",
        Axes::kLeft, at, Axes::kLeft + Axes::kWidth, at, at + 4, std::pow(10, decade));
  }
  for (const double percent : {0.0, 90.0, 99.0, 99.9, 99.99, 99.999}) {
    out += fmt::format("<text x=\"{:.1f}\" y=\"{}\">{:g} %</text>\n", axes.x(percent) - 12,
                       Axes::kTop + Axes::kHeight + 18, percent);
  }
  constexpr const char* kColours[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd"};
  std::size_t number = 0;
  for (const auto& [name, series] : outcome.series) {
    if (series->count() == 0) continue;
    std::string points;
    for (double nines = 0; nines <= Axes::kNines; nines += 0.05) {
      const double percent = 100 * (1 - std::pow(10, -nines));
      points +=
          fmt::format("{:.1f},{:.1f} ", axes.x(percent), axes.y(ms(series->histogram(), percent)));
    }
    const char* colour = kColours[number++ % 4];
    out += fmt::format(
        "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"2\" points=\"{}\"/>"
        "<text x=\"{}\" y=\"{}\" fill=\"{}\">{}</text>\n",
        colour, points, Axes::kLeft + Axes::kWidth + 8, Axes::kTop + 14 * number, colour, name);
  }
  return out + "</svg>\n";
}

}  // namespace slotcar::bench
