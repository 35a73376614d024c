show Base.w.wQ-bQ
