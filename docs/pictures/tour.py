"""Draw `tour.png`: what `robotix tour` draws, in fewer colours so that it stays small."""

from pathlib import Path

from PIL import Image

from robotix.cli.tour_picture import save_picture
from robotix.cli.tour_scene import take_tour

PICTURE = Path(__file__).with_suffix(".png")

if __name__ == "__main__":
    save_picture(PICTURE, take_tour())
    with Image.open(PICTURE) as picture:
        small = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    small.save(PICTURE, optimize=True)
