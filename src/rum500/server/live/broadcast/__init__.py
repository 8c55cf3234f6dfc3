"""What the server sends to a table's viewers: snapshots, patches, and messages to absent players."""
