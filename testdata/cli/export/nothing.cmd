export notation/uhp/invalid/unknown_bug.uhp
