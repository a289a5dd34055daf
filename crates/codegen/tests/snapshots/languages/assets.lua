---@meta
-- The paths of the assets in night game.rres. Generated: do not edit.

---@alias rres.Data
---| "quests/coin.quest"

---@alias rres.Image
---| "01/01#0"
---| "data/01#0"
---| "fox.glb#image/0"
---| "player.png"
---| "ui-a.png"
---| "ui/button-pressed.png"
---| "ui_a.png"

---@alias rres.Model
---| "fox.glb"

---@alias rres.Other
---| "new.kind"

---@alias rres.Raw
---| "01/01"
---| "data/01"
---| "type/self/all"
---| "x*/y/*z.bin"

---@alias rres.Sound
---| "ui/ui/01 Höhe.ogg"

---@alias rres.Text
---| "class/new/function.txt"
-- Left out, as an annotation cannot have both quotation marks: say "hi" & 'bye' <b>.txt

---@alias rres.Asset rres.Data|rres.Image|rres.Model|rres.Other|rres.Raw|rres.Sound|rres.Text
