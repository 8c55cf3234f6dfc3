"""The server's connections: uvicorn's HTTP and our WebSockets, with limits and deadlines."""
