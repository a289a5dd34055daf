-- What a level is made of.
return { map = "levels/1.txt", player = "ui/player.png", lives = 3 }
