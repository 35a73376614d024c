rules wasp
