"""A table for Essen high-low in the browser: start it with `python -m examples.web_table`.

Built on the public API of essen_hilo alone. `table` is one table as a value, `store` keeps tables in a file,
`rooms` are the tables under way and who is connected to them, `wire` is the text of messages, `server` is HTTP
and sockets, `limits` says how much of everything is allowed; `page/` is what the browser gets.
"""
