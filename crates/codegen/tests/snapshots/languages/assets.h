/* The ids of the resources in night game.rres. Generated: do not edit. */
#ifndef RRES_IDS_OF_NIGHT_GAME_INCLUDED
#define RRES_IDS_OF_NIGHT_GAME_INCLUDED

#define RRES_01_01                  0x921de74b /* 01/01 (raw) */
#define RRES_01_01_0                0xf44a263a /* 01/01#0 (image) */
#define RRES_CLASS_NEW_FUNCTION_TXT 0x069569de /* class/new/function.txt (text) */
#define RRES_DATA_01                0x137c8a0a /* data/01 (raw) */
#define RRES_DATA_01_0              0x2e2bc4fa /* data/01#0 (image) */
#define RRES_FOX_GLB                0x228b9157 /* fox.glb (model) */
#define RRES_FOX_GLB_IMAGE_0        0x19cf200b /* fox.glb#image/0 (image) */
#define RRES_NEW_KIND               0x0b9bc17b /* new.kind */
#define RRES_PLAYER_PNG             0x2dba854a /* player.png (image) */
#define RRES_QUESTS_COIN_QUEST      0x413cdf11 /* quests/coin.quest (data) */
#define RRES_SAY_HI_BYE_B_TXT       0x051de922 /* say "hi" & 'bye' <b>.txt (text) */
#define RRES_TYPE_SELF_ALL          0xf663941a /* type/self/all (raw) */
#define RRES_UI_A_PNG_BC680331      0xbc680331 /* ui-a.png (image) */
#define RRES_UI_BUTTON_PRESSED_PNG  0xe6f3e191 /* ui/button-pressed.png (image) */
#define RRES_UI_UI_01_HOHE_OGG      0x6d7e6d20 /* ui/ui/01 Höhe.ogg (sound) */
#define RRES_UI_A_PNG_FA82AFFB      0xfa82affb /* ui_a.png (image) */
#define RRES_X_Y_Z_BIN              0xa0659a33 /* x* /y/ *z.bin (raw) */

#endif
