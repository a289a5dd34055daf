"""Makes every generated file of the example's `assets/`: `python3 make.py ../../assets`.

Needs numpy, scipy, Pillow and ffmpeg. Same versions, same bytes. Fonts, texts, levels and shaders are not made here.
"""

import importlib
import pathlib
import sys

PARTS = {'world': 'world', 'interface': 'ui', 'sounds': 'sound', 'music': 'music', 'models': 'models', 'tables': 'data'}

if __name__ == '__main__':
    assets = pathlib.Path(sys.argv[1])
    for part, folder in PARTS.items():
        if len(sys.argv) > 2 and part not in sys.argv[2:]:
            continue
        (assets / folder).mkdir(parents=True, exist_ok=True)
        importlib.import_module(part).make(assets / folder)
        print(f'{part}: {assets / folder}')
