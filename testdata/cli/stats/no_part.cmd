stats --merge nothing.json
