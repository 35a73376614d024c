explain loss
