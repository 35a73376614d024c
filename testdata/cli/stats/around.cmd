stats --by colour,around bench/Base.uhp --metrics turns --bars turns
