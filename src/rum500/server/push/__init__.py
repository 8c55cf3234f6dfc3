"""Web Push: messages to the browsers of guests who keep a table waiting without viewing the table."""
