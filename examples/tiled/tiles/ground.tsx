<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.11.0" name="ground" tilewidth="8" tileheight="8" tilecount="4" columns="4">
 <image source="ground.png" width="32" height="8"/>
</tileset>
