check README.md
