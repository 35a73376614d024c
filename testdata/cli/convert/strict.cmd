convert --to uhp --strict notation/uhp/valid/letter_case.uhp
