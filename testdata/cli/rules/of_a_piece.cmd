rules Ci
