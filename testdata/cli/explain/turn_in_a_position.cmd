explain --why-not 'wQ wS1' Base.w.wQwSbSbQ
