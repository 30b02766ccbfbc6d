// Makes a program from the C++ in a document, so that the code that a reader copies compiles and
// runs:
//
//   doc_snippets PAGE.md OUT.cc
//
// All blocks marked ```cpp are one function, in the order of the page; a block marked ```cpp
// declarations comes before it. "redis://127.0.0.1:6379" becomes the server that the program is
// given as its argument. A page that says co_await in such a block becomes a coroutine.
#include <cstdio>
#include <fstream>
#include <string>

namespace {

constexpr const char* kServer = "\"redis://127.0.0.1:6379\"";

std::string with_server(std::string line) {
  for (std::size_t at = line.find(kServer); at != std::string::npos; at = line.find(kServer, at)) {
    line.replace(at, std::string(kServer).size(), "uri");
  }
  return line;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::ifstream page(argv[1]);
  std::string declarations;
  std::string statements;
  std::string* into = nullptr;
  std::string line;
  for (int number = 1; std::getline(page, line); ++number) {
    if (line.starts_with("```")) {
      into = line == "```cpp"                ? &statements
             : line == "```cpp declarations" ? &declarations
                                             : nullptr;
      if (into) *into += "#line " + std::to_string(number + 1) + " \"" + argv[1] + "\"\n";
    } else if (into) {
      *into += with_server(line) + "\n";
    }
  }
  if (statements.empty()) return 1;
  const bool awaits = statements.find("co_await") != std::string::npos;
  std::ofstream out(argv[2]);
  out << "#include \"slotcar/slotcar.h\"\n#include <cstdio>\n#include <string>\n#include <thread>\n"
      << "#include <ranges>\n#include <set>\n#include <unordered_map>\n"
      << "using namespace slotcar::client;\nusing namespace std::chrono_literals;\n"
      << declarations << (awaits ? "Task<> page" : "void page") << "(std::string uri) {\n"
      << statements << "}\nint main(int, char** argv) { "
      << (awaits ? "sync_wait(page(argv[1]));" : "page(argv[1]);") << " }\n";
  return out.good() ? 0 : 1;
}
