check --strict notation/uhp/valid/queen_first.uhp notation/uhp/valid/letter_case.uhp
