"""Shows and changes facts on Discord: /remember, /forget, /memory, and the buttons Undo, Edit, Not me, Not true."""
