"""Rules engines. Pure: they know nothing of cameras, pages or files other than their own texts."""
