"""Study files: factors, orders, training, questionnaires, and the trials that follow from them."""

__all__: list[str] = []
