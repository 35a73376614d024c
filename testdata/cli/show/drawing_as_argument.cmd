show 'wQ bQ'
