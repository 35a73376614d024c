show
> wQ    bQ
>    wA1
