show nothing.here
