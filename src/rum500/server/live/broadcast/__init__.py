"""What viewers of a table are sent: snapshots, patches, and notices to absent players."""
