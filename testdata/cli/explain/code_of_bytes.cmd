explain encoding
