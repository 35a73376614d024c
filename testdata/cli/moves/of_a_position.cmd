moves BaseMLP.w.-3wP.-2wBwA.bSbLbAwM.-wQ-wAbQ.bA --piece wP
