#!/usr/bin/env python3
"""tools/check_layers must find each kind of breach in a small house built for it, and none in a clean one."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "check_layers"

CLEAN = {
    "CMakeLists.txt": "weft_module(base)\nweft_module(media DEPENDS weft_base PRIVATE PkgConfig::FFMPEG)\n",
    "src/base/error.hpp": "#pragma once\n#include <string>\n",
    "src/media/input.hpp": '#pragma once\n#include "base/error.hpp"\n',
    "src/media/av_private.hpp": "#pragma once\n#include <libavutil/avutil.h>\n",
    "src/media/input.cpp": '#include "media/input.hpp"\n#include "media/av_private.hpp"\n',
    "src/graph/plan.hpp": '#pragma once\n#include "base/error.hpp"\n',
}


class CheckLayers(unittest.TestCase):
    def run_on(self, **changes):
        files = dict(CLEAN)
        files.update(changes.get("files", {}))
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    def assert_breach(self, file, text, complaint):
        status, output = self.run_on(files={file: text})
        self.assertEqual(status, 1, output)
        self.assertIn(complaint, output)
        self.assertIn("1 breaches", output)

    def test_a_clean_house_passes(self):
        status, output = self.run_on()
        self.assertEqual(status, 0, output)

    def test_a_higher_floor(self):
        self.assert_breach("src/base/log.cpp", '\n#include "media/input.hpp"\n', "src/base/log.cpp:2: base may not include media")

    def test_a_neighbour(self):
        self.assert_breach("src/graph/p.cpp", '#include "media/input.hpp"\n', "graph may not include media")

    def test_a_third_party_header_outside_its_gate(self):
        self.assert_breach("src/graph/p.cpp", "#include <libavcodec/avcodec.h>\n", "enters through media only")
        self.assert_breach("src/media/p.cpp", "# include <CL/opencl.hpp>\n", "enters through gpu only")

    def test_a_third_party_header_in_a_public_header(self):
        self.assert_breach("src/media/m.hpp", "#include <libavcodec/avcodec.h>\n", "must stay out of public headers")

    def test_a_private_header_outside_its_module(self):
        self.assert_breach("src/engine/e.cpp", '#include "media/av_private.hpp"\n', "is private to media")

    def test_a_header_that_is_not_there(self):
        self.assert_breach("src/media/m.cpp", '#include "input.hpp"\n', "no file src/input.hpp")

    def test_a_module_without_a_floor(self):
        self.assert_breach("src/cellar/c.cpp", "\n", "is no room of the house")

    def test_a_link_upwards(self):
        self.assert_breach("CMakeLists.txt", "weft_module(base DEPENDS weft_media)\n", "base may not link media")

    def test_an_empty_tree_is_not_a_clean_one(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "src").mkdir()
            (Path(folder) / "CMakeLists.txt").touch()
            done = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, check=False)
        self.assertEqual(done.returncode, 1)


unittest.main()
