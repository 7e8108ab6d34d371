"""A script of the legacy format, as it was published."""

# Word for word from RoboTiX (thesis, section 3.8), as the specification of scripts prints it.
SCRIPT = r"""
appl init robotix.so:init "robot.cfg"
appl loop robotix.so:loop
appl callback robotix.so:step "(1, 0, 0, 0)" \
    key Left type reflect event on
appl callback robotix.so:move "@500;(20,-30,40,*)" key l
appl callback robotix.so:stop \
    collision end_effector obstacle
appl init robotix.so:setEventEOS "end_of_stroke"
wireframe robot appinput "end_of_stroke" event change
"""
