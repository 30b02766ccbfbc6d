#include "node/options.h"

namespace slotcar::node {

Options read_options(std::span<const std::string> arguments) {
  Options options;
  if (arguments.size() == 1) {
    options.help = arguments[0] == "-h" || arguments[0] == "--help";
    options.version = arguments[0] == "-v" || arguments[0] == "--version";
    if (options.help || options.version) return options;
  }
  if (!arguments.empty() && !arguments[0].starts_with('-')) {
    options.file = arguments[0];
    arguments = arguments.subspan(1);
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "-" && (i == 0 || i + 1 == arguments.size())) {
      options.from_stdin = true;
    } else {
      options.arguments.push_back(arguments[i]);
    }
  }
  return options;
}

std::string usage() {
  return "Usage: slotcar-server [file | -] [--name value ...]\n"
         "       slotcar-server -v or --version\n"
         "       slotcar-server -h or --help\n"
         "\n"
         "The file is in the form of redis.conf; \"-\" reads it from standard input. Every "
         "setting\n"
         "can also be given as --name value, which counts for more than the file.\n"
         "\n"
         "Examples:\n"
         "       slotcar-server\n"
         "       slotcar-server /etc/slotcar.conf\n"
         "       slotcar-server --port 7777 --bind 127.0.0.1 --workers 4\n"
         "       slotcar-server /etc/slotcar.conf --loglevel verbose\n"
         "       echo 'maxmemory 128mb' | slotcar-server -\n";
}

}  // namespace slotcar::node
