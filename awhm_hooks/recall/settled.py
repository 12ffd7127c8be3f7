"""What a buffer holds and the graph does too: the graph knows what became of it since."""


def without_settled(graph: "Graph", buffers: "list[Buffer]") -> None:
    """Take out of buffers what the graph holds: a statement may have been superseded or taken back there by hand.

    A live session keeps its write-ahead log when the worker has been over it.
    """
    for buffer in buffers:
        consumed = graph.consumed(buffer.session)
        if not consumed or not buffer.messages or buffer.messages[0].begin >= consumed:
            continue
        waiting = [message for message in buffer.messages if message.end > consumed]
        fresh = {message.message_id for message in waiting}
        buffer.messages = waiting
        buffer.statements = [one for one in buffer.statements if one.message_id in fresh]


TYPE_CHECKING = False
if TYPE_CHECKING:
    from awhm_hooks.graph.store import Graph
    from awhm_hooks.journal.buffer import Buffer
