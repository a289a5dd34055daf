// Finds resources of a pack by the constants of the generated header, checks them, and prints what they are.
//
//     cc -std=c99 -I DIR -o find find.c && ./find DIR/demo.rres
//
// It needs nothing but a C compiler, and shows what is in a pack. A game takes rres.h, which has these functions: see raylib.c.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "demo.h"

#define FILE_HEADER 16
#define CHUNK_HEADER 32

// If an asset is removed or renamed, this table does not compile.
#define NAMED(constant) { #constant, constant }
static const struct { const char *name; uint32_t id; } wanted[] = {
    NAMED(RRES_TEXT_INTRO_TXT),
    NAMED(RRES_UI_PLAYER_PNG),
    NAMED(RRES_UI_ICON_PNG),
    NAMED(RRES_UI_BEEP_WAV),
    NAMED(RRES_MODELS_GEM_GLTF),
};

typedef struct { unsigned char *bytes; size_t size; } Pack;

typedef struct {
    const unsigned char *kind;      // four letters
    uint32_t id;
    unsigned compression;           // 0: the stored bytes are the block
    unsigned cipher;                // 0: not encrypted
    uint32_t packedSize;            // of the stored bytes
    uint32_t baseSize;              // of the block
    uint32_t nextOffset;            // of the next chunk of this resource; 0: this is the last one
    uint32_t crc;                   // of the stored bytes
    const unsigned char *stored;
} Chunk;

// Numbers are stored with their lowest byte first, on every machine.
static uint32_t read32(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

// The CRC-32 of zlib, which is rresComputeCRC32 in rres.h.
static uint32_t crc32(const unsigned char *bytes, size_t size)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < size; i++)
    {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (0xedb88320 & (0 - (crc & 1)));
    }
    return ~crc;
}

// Reads a chunk; 0 if it is not completely inside the file.
static int chunk_at(Pack pack, size_t offset, Chunk *chunk)
{
    if (offset < FILE_HEADER || offset > pack.size || pack.size - offset < CHUNK_HEADER) return 0;
    const unsigned char *at = pack.bytes + offset;
    chunk->kind = at;
    chunk->id = read32(at + 4);
    chunk->compression = at[8];
    chunk->cipher = at[9];
    chunk->packedSize = read32(at + 12);
    chunk->baseSize = read32(at + 16);
    chunk->nextOffset = read32(at + 20);
    chunk->crc = read32(at + 28);
    chunk->stored = at + CHUNK_HEADER;
    return chunk->packedSize <= pack.size - offset - CHUNK_HEADER;
}

// Finds the first chunk of a resource; 0 if the pack has none.
static int find(Pack pack, uint32_t id, Chunk *chunk)
{
    size_t offset = FILE_HEADER;
    for (unsigned left = pack.bytes[6] | pack.bytes[7] << 8; left > 0 && chunk_at(pack, offset, chunk); left--)
    {
        if (chunk->id == id) return 1;
        offset += CHUNK_HEADER + (size_t)chunk->packedSize;
    }
    return 0;
}

// Prints a chunk; 0 if its bytes are not those that were written.
static int print_chunk(const char *name, Chunk chunk)
{
    const uint32_t crc = crc32(chunk.stored, chunk.packedSize);
    if (crc != chunk.crc)
    {
        fprintf(stderr, "find: %s is damaged: the CRC-32 of its bytes is %08x, expected %08x\n", name, (unsigned)crc, (unsigned)chunk.crc);
        return 0;
    }
    printf("%-22s %.4s %6lu bytes", name, (const char *)chunk.kind, (unsigned long)chunk.baseSize);
    if (chunk.cipher != 0) printf(", encrypted");
    else if (chunk.compression != 0) printf(", stored in %lu", (unsigned long)chunk.packedSize);
    // The block of a TEXT chunk: the number of properties, 4 properties that start with the size, the text.
    else if (chunk.kind[0] == 'T' && chunk.baseSize >= 20 && chunk.packedSize >= chunk.baseSize && read32(chunk.stored + 4) <= chunk.baseSize - 20)
    {
        printf(": %.*s", (int)read32(chunk.stored + 4), (const char *)chunk.stored + 20);
        return 1;
    }
    printf("\n");
    return 1;
}

// Prints the chunks of a resource; 0 if one of them is missing or damaged.
static int print_resource(Pack pack, const char *name, uint32_t id)
{
    Chunk chunk = { 0 };
    if (!find(pack, id, &chunk))
    {
        fprintf(stderr, "find: %s is not in the pack: build the pack and the header again\n", name);
        return 0;
    }
    // A chain has no more chunks than fit into the file.
    for (size_t left = pack.size/CHUNK_HEADER; print_chunk(name, chunk); left--)
    {
        if (chunk.nextOffset == 0) return 1;
        if (left == 0 || !chunk_at(pack, chunk.nextOffset, &chunk))
        {
            fprintf(stderr, "find: %s continues at byte %lu, where the pack has no chunk\n", name, (unsigned long)chunk.nextOffset);
            return 0;
        }
    }
    return 0;
}

static int read_pack(const char *path, Pack *pack)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return 0;
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    pack->size = size < 0 ? 0 : (size_t)size;
    pack->bytes = malloc(pack->size + 1);
    const int isRead = pack->bytes != NULL && fread(pack->bytes, 1, pack->size, file) == pack->size;
    fclose(file);
    return isRead;
}

int main(int argc, char **argv)
{
    Pack pack = { 0 };
    if (argc != 2)
    {
        fprintf(stderr, "find: expected the path of a pack\n");
        return 2;
    }
    if (!read_pack(argv[1], &pack))
    {
        perror(argv[1]);
        return 2;
    }
    if (pack.size < FILE_HEADER || read32(pack.bytes) != 0x73657272 || pack.bytes[4] != 100)
    {
        fprintf(stderr, "find: %s is not an rres pack: it does not start with `rres` and version 100\n", argv[1]);
        return 1;
    }
    int faults = 0;
    for (size_t i = 0; i < sizeof wanted/sizeof wanted[0]; i++) faults += !print_resource(pack, wanted[i].name, wanted[i].id);
    free(pack.bytes);
    return faults > 0;
}
