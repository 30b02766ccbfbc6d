"""KnownDifferences: known_differences.txt, and whether it explains what was seen.

A line: COMMAND, pattern of its arguments, of redis-server's reply, of this server's, and the reason,
separated by tabs. Patterns are globs over the words as text and over replies as Python prints them.
"""
import fnmatch


class KnownDifferences:
    def __init__(self, path):
        self.lines = []
        self.uses = 0
        for line in path.read_text().splitlines():
            if line and not line.startswith('#'):
                name, arguments, redis, slotcar, reason = line.split('\t')
                self.lines.append([name, arguments.upper(), redis, slotcar, reason, 0])

    def explains(self, words, a, b):
        name = words[0].decode('latin1').upper()
        arguments = ' '.join(word.decode('latin1') for word in words[1:]).upper()
        left, right = repr(a), repr(b)
        for line in self.lines:
            if (fnmatch.fnmatchcase(name, line[0]) and fnmatch.fnmatchcase(arguments, line[1]) and
                    fnmatch.fnmatchcase(left, line[2]) and fnmatch.fnmatchcase(right, line[3])):
                line[5] += 1
                self.uses += 1
                return True
        return False

    def say_unused(self):
        for line in self.lines:
            if not line[5]:
                print(f'known difference not met: {line[0]} {line[1]} ({line[4]})')
