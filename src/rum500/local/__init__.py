"""The game for one person without a server, as in a browser: the server's tables and handlers, run in place.

`LocalServer` answers the page's requests and runs its connections to tables. It stores everything in a
`KeyValues`, such as IndexedDB. Nothing here, nor anything that it imports, needs a network, threads or a
database.
"""

from rum500.local.browser import BrowserServer as BrowserServer
from rum500.local.data_file import export_data as export_data
from rum500.local.data_file import import_data as import_data
from rum500.local.key_values import KeyValues as KeyValues
from rum500.local.server import LocalAnswer as LocalAnswer
from rum500.local.server import LocalServer as LocalServer
from rum500.local.server import LocalSocket as LocalSocket
from rum500.local.store import LocalStore as LocalStore
