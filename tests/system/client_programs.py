"""The examples of the client library with clang, warnings as errors. The build compiles them with g++, and the tests run
those. Only the syntax is checked here: the headers are read once, as a precompiled header, so that thirty programs take
some seconds."""
import os
import pathlib
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from harness import ROOT, Failed

FLAGS = ['-std=c++20', '-Wall', '-Wextra', '-Wshadow', '-Wnon-virtual-dtor', '-Werror', f'-I{ROOT}/client/include', f'-I{ROOT}/src']


def run(_, report):
    if not shutil.which('clang++'):
        return report.skip('the examples of the client with clang', 'clang++ is missing')
    with tempfile.TemporaryDirectory() as folder:
        header = pathlib.Path(folder) / 'all.h'
        header.write_text('#include "slotcar/slotcar.h"\n')
        compiled = str(header.with_suffix('.pch'))
        report.check('the headers of the client with clang', clang, '-x', 'c++-header', str(header), '-o', compiled)
        programs = sorted((ROOT / 'client/examples').glob('*.cc'))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            done = [(program, pool.submit(clang, '-fsyntax-only', '-include-pch', compiled, str(program))) for program in programs]
            for program, result in done:
                report.check(f'{program.stem} with clang', result.result)
    report.check('there are thirty of them', many, programs)
    return None


def clang(*words):
    done = subprocess.run(['clang++', *FLAGS, *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(done.stderr[-2000:])


def many(programs):
    if len(programs) < 30:
        raise Failed(f'only {len(programs)}')
