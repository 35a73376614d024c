check -
Base+Kb;InProgress;Black[3];wKb;bA1 wKb-;wQ -wKb;bQ bA1-;wKb~bQ
Base+Kb;InProgress;Black[3];wKb;bA1 wKb-;wQ -wKb;bQ bA1-;wA1~bQ
Base+Kb;InProgress;White[4];wKb;bA1 wKb-;wQ -wKb;bQ bA1-;wKb~bA1;bA1~
Base+Si;InProgress;White[2];wSi;bA1 wSi-
Base+Si;InProgress;White[2];wSi:E;bA1 wSi'-:E
Base+Ti;InProgress;Black[3];wTi;bG1 wTi-;wQ -wTi;bQ bG1-;wTi=bG1 wQ/
Base+Hv;InProgress;Black[3];wHv;bG1 wHv-;wQ -wHv;bQ bG1-;wHv@bQ wHv/
Base+Co;InProgress;White[2];wCo:A;bA1 wCo-
