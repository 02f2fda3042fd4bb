#!/usr/bin/env python3
"""tools/check_media on real files: weft and ffmpeg agree on them, and what they do not agree on is found.
Usage: check_media_test.py WEFT"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WEFT = str(Path(sys.argv.pop(1)).resolve())
FILES = ROOT / "tests" / "media_files"


def check(weft, *names):
    words = [sys.executable, ROOT / "tools" / "check_media", "--weft", weft, *(FILES / name for name in names)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


class CheckMedia(unittest.TestCase):
    def with_option(self, option, name):
        """The same with a weft that always has one more option."""
        with tempfile.TemporaryDirectory() as folder:
            other = Path(folder) / "weft"
            other.write_text(f'#!/bin/sh\ncommand=$1\nshift\nexec "{WEFT}" "$command" {option} "$@"\n', encoding="utf-8")
            other.chmod(0o755)
            return check(other, name)

    def test_both_agree(self):
        # A turned picture, an odd size, alpha, two sizes, HDR, sound, and a file that holds nothing.
        status, output = check(WEFT, "clip_rot90.mov", "vp9_161x121.webm", "av1_two_sample_entries.mp4",
                               "phone_dovi_hlg_rot.MOV", "bt601_640x428_mixed_tags.mov", "no_moov.mp4",
                               "overlay_logo_rgba_260x77.png", "ts_start_at_wrap_two_frames.ts")
        self.assertEqual(status, 0, output)
        self.assertIn("8 alike, 0 differ", output)

    def test_odd_names_and_joined_files(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "-dash.mov").write_bytes((FILES / "clip_rot90.mov").read_bytes())
            part = "-f lavfi -i testsrc2=s=96x64:r=25:d=0.4 -f lavfi -i sine=440:d=0.4 -c:v mpeg2video -q:v 2 part.ts"
            subprocess.run(["ffmpeg", "-v", "error", *part.split()], cwd=folder, check=True)
            (Path(folder) / "joined.ts").write_bytes((Path(folder) / "part.ts").read_bytes() * 2)
            words = [sys.executable, ROOT / "tools" / "check_media", "--weft", WEFT, "--", "-dash.mov", "joined.ts"]
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
            self.assertIn("2 alike, 0 differ", done.stdout)

    def test_other_pictures_are_found(self):
        status, output = self.with_option("--filter eq=brightness=0.1", "clip_rot90.mov")
        self.assertEqual(status, 1, output)
        self.assertIn("DIFFERS: PSNR", output)

    def test_fewer_pictures_are_found(self):
        status, output = self.with_option("--duration 0.5s", "bt601_640x428_mixed_tags.mov")
        self.assertEqual(status, 1, output)
        self.assertIn("DIFFERS: 15 pictures of 30", output)

    def test_lost_sound_is_found(self):
        status, output = self.with_option("--no-audio", "bt601_640x428_mixed_tags.mov")
        self.assertEqual(status, 1, output)
        self.assertIn("DIFFERS: sound: weft loses it", output)


if __name__ == "__main__":
    unittest.main()
