show
Ann wrote:
> wQ    bQ
>    wA1
-- 
Bo
