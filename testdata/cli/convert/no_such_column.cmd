convert --to uhp --column moves notation/table/valid/data_set.csv
