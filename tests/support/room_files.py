"""A small room on disk, for the command line to run."""

ROOM = """\
robotix: 1
rate: 100
robots:
  arm: {model: planar_3r, at: [0, 0, 0.7]}
objects:
  table: {box: [1.2, 0.8, 0.04], at: [1, 0, 0.2]}
  cup: {mesh: cup.stl, on: table}
devices: {stick: translate3}
rules:
  - when: {timer: beat}
    do: [{say: hello}, {move: {robot: arm, to_deg: [20, -30, 40], steps: 20}}]
start: [{start_timer: {timer: beat, seconds: 0.1, again: true}}]
"""
STL = """\
solid cup
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 0.1 0 0
vertex 0 0.1 0
endloop
endfacet
endsolid cup
"""
CONFIGURATION = """\
ROBOT = 1
{
JOINT j1
{
AXIS = a1
TYPE = 1
QMIN = -170
QMAX = 170
}
}
"""
BAD = """\
robotix: 1
robots:
  arm: {model: kuka_lw}
objects:
  cup: {box: [1, 1, nan], on: tabel}
"""
