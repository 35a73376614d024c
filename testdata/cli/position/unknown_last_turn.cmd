position Base+MLP.w.wLbL --form json
