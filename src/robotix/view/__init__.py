"""Pictures, depths and things seen from a camera, drawn in software."""

from robotix.view.camera import Camera, Size, framed, orbit
from robotix.view.pictures import contact_sheet, save_animation, save_png
from robotix.view.renderer import FLOOR, SKY, Image, View, look, render
from robotix.view.solids_mesh import solid_mesh
from robotix.view.stage import Stage
from robotix.view.things import Colour, Dots, Line, Mesh3, Thing

__all__ = [
    "FLOOR",
    "SKY",
    "Camera",
    "Colour",
    "Dots",
    "Image",
    "Line",
    "Mesh3",
    "Size",
    "Stage",
    "Thing",
    "View",
    "contact_sheet",
    "framed",
    "look",
    "orbit",
    "render",
    "save_animation",
    "save_png",
    "solid_mesh",
]
