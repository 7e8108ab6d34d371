"""A small DH file that tests read, and break."""

ARM = """\
name = "arm"
convention = "standard"
gravity = [0, 0, -9.81]

[sources]
S1 = "a drawing"

[provenance.kinematics]
sources = ["S1"]
confidence = "high"

[base]
xyz = [0, 0, 1]

[[joint]]
name = "shoulder"
a = 0.5
alpha_deg = 90
lower_deg = -170
upper_deg = 170
velocity_deg = 90
effort = 100
radius = 0.05
[joint.inertial]
mass = 3.0
com = [-0.25, 0.0, 0.0]
inertia = [0.01, 0.07, 0.07]
frame = "dh"

[[joint]]
name = "slide"
kind = "prismatic"
d = 0.2
theta = 0.3
lower = 0.0
upper = 0.4

[tool]
xyz = [0, 0, 0.1]

[points.middle]
link = "link1"
xyz = [0.25, 0, 0]
"""
