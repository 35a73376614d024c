convert --to uhp notation/uhp/valid/numbers_out_of_order.uhp
