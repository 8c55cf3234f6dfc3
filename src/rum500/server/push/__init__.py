"""Web Push: messages to browsers whose guest keeps a table waiting without looking at it."""
