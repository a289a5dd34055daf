// Loads resources of a pack by the constants of the generated header, with raylib.
//
//     cc -I DIR -I RRES/src -o raylib raylib.c -lraylib -lm && ./raylib DIR/demo.rres
//
// RRES is a clone of https://github.com/raysan5/rres, whose headers no package registry has. `interop/c/run` compiles and runs this program.

#include "raylib.h"

#define RRES_IMPLEMENTATION
#include "rres.h"

#define RRES_RAYLIB_IMPLEMENTATION
#define RRES_SUPPORT_COMPRESSION_LZ4
#include "rres-raylib.h"

#include "demo.h"

static const char *pack = "demo.rres";

// Loads the chunk of a resource, decompressed.
static rresResourceChunk load(unsigned int id)
{
    rresResourceChunk chunk = rresLoadResourceChunk(pack, id);
    if (UnpackResourceChunk(&chunk) != RRES_SUCCESS) TraceLog(LOG_WARNING, "%s: 0x%08x cannot be loaded", pack, id);
    return chunk;
}

int main(int argc, char **argv)
{
    if (argc > 1) pack = argv[1];

    // Pixels: nothing is decoded.
    rresResourceChunk chunk = load(RRES_UI_PLAYER_PNG);
    Image player = LoadImageFromResource(chunk);
    rresUnloadResourceChunk(chunk);

    // A file that assets.toml keeps as it is: kind = "raw".
    unsigned int size = 0;
    chunk = load(RRES_UI_ICON_PNG);
    unsigned char *file = LoadDataFromResource(chunk, &size);
    Image icon = LoadImageFromMemory(".png", file, (int)size);
    rresUnloadResourceChunk(chunk);

    chunk = load(RRES_UI_BEEP_WAV);
    Wave beep = LoadWaveFromResource(chunk);
    rresUnloadResourceChunk(chunk);

    chunk = load(RRES_TEXT_INTRO_TXT);
    char *intro = LoadTextFromResource(chunk);
    rresUnloadResourceChunk(chunk);

    // Models and fonts have several chunks.
    rresResourceMulti chunks = rresLoadResourceMulti(pack, RRES_MODELS_GEM_GLTF);
    for (unsigned int i = 0; i < chunks.count; i++) UnpackResourceChunk(&chunks.chunks[i]);
    Mesh gem = LoadMeshFromResource(chunks);
    rresUnloadResourceMulti(chunks);

    // A game has a window, and makes a Texture2D, a Sound and a Model of these.
    printf("player: %d x %d pixels\n", player.width, player.height);
    printf("icon: %d x %d pixels\n", icon.width, icon.height);
    printf("beep: %u frames, %u Hz\n", beep.frameCount, beep.sampleRate);
    printf("intro: %s", intro);
    printf("gem: %d vertices\n", gem.vertexCount);
    return 0;
}
