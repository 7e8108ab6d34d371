"""The room: graph, events, rules, actions, robots, one tick after the other."""
