explain notation/uhp/invalid/through_a_gate.uhp@9
