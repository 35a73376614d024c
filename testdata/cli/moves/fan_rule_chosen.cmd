moves BaseSi.w9.wSi~ewSi~hwQbQ --piece wSi --rule stick_shift=touch_old_neighbour
