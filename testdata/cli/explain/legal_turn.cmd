explain --why-not 'wA1 -wQ' Base.w.wQwSbSbQ
