// The ids of the resources in night game.rres. Generated: do not edit.

/** The kinds of assets. */
export type Kind = "data" | "image" | "model" | "other" | "raw" | "sound" | "text";

/** The id of an asset. Only the compiler knows the kind: when the program runs, an id is a number. */
export type Id<K extends string = string> = number & { readonly "rres.kind": K };

/** The ids, by folder. */
export const assets = {
  /** fox.glb (model) */
  FOX_GLB: 0x228b9157 as Id<"model">,
  /** new.kind */
  NEW_KIND: 0x0b9bc17b as Id<"other">,
  /** player.png (image) */
  PLAYER_PNG: 0x2dba854a as Id<"image">,
  /** say "hi" & 'bye' <b>.txt (text) */
  SAY_HI_BYE_B_TXT: 0x051de922 as Id<"text">,
  /** ui-a.png (image) */
  UI_A_PNG_BC680331: 0xbc680331 as Id<"image">,
  /** ui_a.png (image) */
  UI_A_PNG_FA82AFFB: 0xfa82affb as Id<"image">,
  _01: {
    /** 01/01 (raw) */
    _01: 0x921de74b as Id<"raw">,
    _01_: {
      /** 01/01#0 (image) */
      _0: 0xf44a263a as Id<"image">,
    },
  },
  class: {
    new: {
      /** class/new/function.txt (text) */
      FUNCTION_TXT: 0x069569de as Id<"text">,
    },
  },
  data: {
    /** data/01 (raw) */
    _01: 0x137c8a0a as Id<"raw">,
    _01_: {
      /** data/01#0 (image) */
      _0: 0x2e2bc4fa as Id<"image">,
    },
  },
  fox_glb: {
    image: {
      /** fox.glb#image/0 (image) */
      _0: 0x19cf200b as Id<"image">,
    },
  },
  quests: {
    /** quests/coin.quest (data) */
    COIN_QUEST: 0x413cdf11 as Id<"data">,
  },
  type: {
    self_: {
      /** type/self/all (raw) */
      ALL_: 0xf663941a as Id<"raw">,
    },
  },
  ui: {
    /** ui/button-pressed.png (image) */
    BUTTON_PRESSED_PNG: 0xe6f3e191 as Id<"image">,
    ui: {
      /** ui/ui/01 Höhe.ogg (sound) */
      _01_HOHE_OGG: 0x6d7e6d20 as Id<"sound">,
    },
  },
  x: {
    y: {
      /** x* /y/ *z.bin (raw) */
      Z_BIN: 0xa0659a33 as Id<"raw">,
    },
  },
} as const;
