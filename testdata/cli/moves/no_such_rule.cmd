moves BaseSi.w9.wSi~ewSi~hwQbQ --rule stick=long
