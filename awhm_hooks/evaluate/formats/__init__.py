"""One module a corpus format: `matches(data)` recognises it, `read(data, name)` makes a corpus of it."""
