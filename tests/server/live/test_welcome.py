"""What a page is welcomed with."""

from robotix.server.live.service import RoomService


def test_a_page_that_comes_before_the_room_knows_whether_it_can_begin_again() -> None:
    for can_reset in (False, True):
        service = RoomService()
        service.can_reset = can_reset  # nothing is loaded yet
        assert service.welcome(service.add_client("")).can_reset is can_reset
