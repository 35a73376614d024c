moves BaseSi.w9.wSi~ewSi~hwQbQ --rule stick_shift=long
