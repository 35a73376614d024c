rules dung-beetle
