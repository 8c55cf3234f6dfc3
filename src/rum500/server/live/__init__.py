"""Live tables: each has one task and an append-only log; people and bots use the same interface.

`TableRegistry` makes and finds tables; WebSockets call `LiveTable.connect` and `LiveTable.receive`. The
package itself imports nothing, because review processes need only the part that reads logs.
"""
