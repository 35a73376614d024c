stats notation/uhp/invalid/unknown_bug.uhp
