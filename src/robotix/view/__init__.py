"""A software renderer: images, depth maps and object ids from a camera."""

from robotix.view.camera import Camera, Size, framed, orbit
from robotix.view.pictures import contact_sheet, save_animation, save_png
from robotix.view.renderer import FLOOR_ID, SKY_ID, Image, View, render, render_view
from robotix.view.rerun_file import save_rerun
from robotix.view.solids_mesh import solid_mesh
from robotix.view.stage import Stage
from robotix.view.things import Dots, Mesh3, Polyline, Rgb, Thing

__all__ = [
    "FLOOR_ID",
    "SKY_ID",
    "Camera",
    "Dots",
    "Image",
    "Mesh3",
    "Polyline",
    "Rgb",
    "Size",
    "Stage",
    "Thing",
    "View",
    "contact_sheet",
    "framed",
    "orbit",
    "render",
    "render_view",
    "save_animation",
    "save_png",
    "save_rerun",
    "solid_mesh",
]
