"""Pages of the laboratory: one for the participant, one for the experimenter."""

__all__: list[str] = []
