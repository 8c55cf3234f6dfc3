"""The protocol: the types of all messages between a client and the server over a table's WebSocket.

Every message is a JSON object whose `type` names its kind. Cards are written like `QD`, `10S` and `JK`,
places likewise (`1S` is the ace below the two, `AS` the ace above the king), plays as the decimal digits of
their code. Times are the milliseconds that remain when the message is sent. `docs/protocol.md` and the page's
types are generated from this package.
"""

from rum500.server.messages.field_types import Countdown as Countdown
from rum500.server.messages.field_types import Level as Level
from rum500.server.messages.hints import *  # noqa: F403
from rum500.server.messages.options import *  # noqa: F403
from rum500.server.messages.parts import *  # noqa: F403
from rum500.server.messages.protocol import *  # noqa: F403
from rum500.server.messages.snapshot import *  # noqa: F403
