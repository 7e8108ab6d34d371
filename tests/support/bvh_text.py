"""A small BVH file."""

from __future__ import annotations

ARM = """HIERARCHY
ROOT shoulder
{
    OFFSET 1.0 2.0 3.0
    CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
    JOINT elbow
    {
        OFFSET 30 0 0
        CHANNELS 3 Zrotation Xrotation Yrotation
        End Site
        {
            OFFSET 25 0 0
        }
    }
}
MOTION
Frames: 2
Frame Time: 0.01
0 0 0 0 0 0 0 0 0
10 20 30 40 50 60 70 80 -90
"""
