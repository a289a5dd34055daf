// Reads and writes packs with the C library: rres.h, rres-raylib.h and raylib, all unmodified. `run` builds it.
//
//   driver read PACK DIR PASSWORD                       loads every resource that the directory of the pack names
//   driver write PACK DIR PASSWORD CIPHER COMPRESSION   writes a pack with every kind of chunk; numbers as in rres.h
//
// Both write a line for each chunk to DIR/rows.tsv: name, number of the chunk in its resource, kind, status, numbers. The bytes that a
// program gets (read), or that the chunk was made of (write), are in DIR/LINE.bin, counted from 0.

#include "raylib.h"

#define RRES_IMPLEMENTATION
#include "rres.h"

#define RRES_RAYLIB_IMPLEMENTATION
#define RRES_SUPPORT_COMPRESSION_LZ4
#define RRES_SUPPORT_ENCRYPTION_AES
#define RRES_SUPPORT_ENCRYPTION_XCHACHA20
#include "rres-raylib.h"

static const char *dir = NULL;
static FILE *rows = NULL;
static int lines = 0;

static void die(const char *what)
{
    fprintf(stderr, "driver: %s\n", what);
    exit(2);
}

// Prints a line and keeps the bytes.
static void row(const char *name, int chunk, const unsigned char *kind, const char *status, const char *numbers, const void *data, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%d.bin", dir, lines++);
    FILE *file = fopen(path, "wb");
    if (file == NULL) die(path);
    if (size > 0) fwrite(data, 1, size, file);
    fclose(file);
    fprintf(rows, "%s\t%d\t%.4s\t%s\t%s\n", name, chunk, kind, status, numbers);
}

static void read_font(const char *name, rresResourceMulti multi)
{
    char numbers[200];
    Font font = LoadFontFromResource(multi);
    snprintf(numbers, sizeof numbers, "%d,%d,%d", font.baseSize, font.glyphCount, font.glyphPadding);
    int *table = calloc(font.glyphCount + 1, 32);
    for (int i = 0; (font.recs != NULL) && (i < font.glyphCount); i++)
    {
        const int glyph[8] = { (int)font.recs[i].x, (int)font.recs[i].y, (int)font.recs[i].width, (int)font.recs[i].height,
            font.glyphs[i].value, font.glyphs[i].offsetX, font.glyphs[i].offsetY, font.glyphs[i].advanceX };
        memcpy(table + 8*i, glyph, 32);
    }
    row(name, 0, multi.chunks[0].info.type, (font.texture.id > 0)? "ok" : "no texture", numbers, table, 32*(size_t)font.glyphCount);
    free(table);
    for (int i = 0; (font.glyphs != NULL) && (i < font.glyphCount); i++) font.glyphs[i].image = (Image){ 0 };
    UnloadFont(font);
}

static void read_mesh(const char *name, rresResourceMulti multi)
{
    char numbers[200];
    Mesh mesh = LoadMeshFromResource(multi);
    for (unsigned int i = 0; i < multi.count; i++)
    {
        const unsigned int *props = multi.chunks[i].data.props;
        const void *data = NULL;
        size_t size = (size_t)mesh.vertexCount*props[2]*((props[1] == RRES_VERTEX_ATTRIBUTE_COLOR)? 1 : 4);
        switch (props[1])
        {
            case RRES_VERTEX_ATTRIBUTE_POSITION: data = mesh.vertices; break;
            case RRES_VERTEX_ATTRIBUTE_TEXCOORD1: data = mesh.texcoords; break;
            case RRES_VERTEX_ATTRIBUTE_TEXCOORD2: data = mesh.texcoords2; break;
            case RRES_VERTEX_ATTRIBUTE_NORMAL: data = mesh.normals; break;
            case RRES_VERTEX_ATTRIBUTE_TANGENT: data = mesh.tangents; break;
            case RRES_VERTEX_ATTRIBUTE_COLOR: data = mesh.colors; break;
            case RRES_VERTEX_ATTRIBUTE_INDEX: data = mesh.indices; size = (size_t)props[0]*2; break;
            default: break;
        }
        snprintf(numbers, sizeof numbers, "%d,%u,%u", mesh.vertexCount, props[1], props[2]);
        row(name, i, multi.chunks[i].info.type, (data != NULL)? "ok" : "left out", numbers, data, (data != NULL)? size : 0);
    }
    free(mesh.vertices); free(mesh.texcoords); free(mesh.texcoords2); free(mesh.normals); free(mesh.tangents);
    free(mesh.colors); free(mesh.indices);
}

static void read_chunk(const char *name, int number, rresResourceChunk chunk)
{
    char numbers[200] = "";
    switch (rresGetDataType(chunk.info.type))
    {
        case RRES_DATA_RAW:
        {
            unsigned int size = 0;
            void *data = LoadDataFromResource(chunk, &size);
            row(name, number, chunk.info.type, "ok", numbers, data, size);
            free(data);
        } break;
        case RRES_DATA_TEXT:
        {
            char *text = LoadTextFromResource(chunk);
            row(name, number, chunk.info.type, "ok", numbers, text, strlen(text));
            free(text);
        } break;
        case RRES_DATA_IMAGE:
        {
            Image image = LoadImageFromResource(chunk);
            snprintf(numbers, sizeof numbers, "%d,%d,%d", image.width, image.height, image.mipmaps);
            const size_t size = (image.data != NULL)? (size_t)GetPixelDataSize(image.width, image.height, image.format) : 0;
            row(name, number, chunk.info.type, (image.data != NULL)? "ok" : "no pixels", numbers, image.data, size);
            UnloadImage(image);
        } break;
        case RRES_DATA_WAVE:
        {
            Wave wave = LoadWaveFromResource(chunk);
            snprintf(numbers, sizeof numbers, "%u,%u,%u,%u", wave.frameCount, wave.sampleRate, wave.sampleSize, wave.channels);
            row(name, number, chunk.info.type, "ok", numbers, wave.data, (size_t)wave.frameCount*wave.sampleSize/8*wave.channels);
            UnloadWave(wave);
        } break;
        case RRES_DATA_LINK: row(name, number, chunk.info.type, "ok", numbers, chunk.data.raw, strlen(chunk.data.raw)); break;
        default: row(name, number, chunk.info.type, "unknown kind", numbers, NULL, 0); break;
    }
}

static int read_pack(const char *pack)
{
    rresCentralDir directory = rresLoadCentralDirectory(pack);
    if (directory.count == 0) die("no directory");
    for (unsigned int i = 0; i < directory.count; i++)
    {
        const char *name = directory.entries[i].fileName;
        rresResourceMulti multi = rresLoadResourceMulti(pack, rresGetResourceId(directory, name));
        bool unpacked = multi.count > 0;
        for (unsigned int c = 0; c < multi.count; c++)
        {
            const int result = UnpackResourceChunk(&multi.chunks[c]);
            if ((result == 0) && (multi.chunks[c].data.props != NULL)) continue;
            char status[40];
            snprintf(status, sizeof status, "error %d", result);
            row(name, c, multi.chunks[c].info.type, status, "", NULL, 0);
            unpacked = false;
        }
        if (multi.count == 0) row(name, 0, (const unsigned char *)"NULL", "not found", "", NULL, 0);
        if (unpacked)
        {
            const unsigned int kind = rresGetDataType(multi.chunks[0].info.type);
            if (kind == RRES_DATA_VERTEX) read_mesh(name, multi);
            else
            {
                if (kind == RRES_DATA_FONT_GLYPHS) read_font(name, multi);
                for (unsigned int c = (kind == RRES_DATA_FONT_GLYPHS)? 1 : 0; c < multi.count; c++) read_chunk(name, c, multi.chunks[c]);
            }
        }
        rresUnloadResourceMulti(multi);
    }
    rresUnloadCentralDirectory(directory);
    return 0;
}

// The pack that is being written.
static FILE *out = NULL;
static int cipher = 0, compression = 0, written = 0;
static const char *secret = NULL;
static unsigned char central[1 << 16];
static unsigned int centralSize = 0, centralCount = 0;

static void make_key(unsigned char key[32], const unsigned char salt[16])
{
    crypto_argon2_config config = { .algorithm = CRYPTO_ARGON2_I, .nb_blocks = 16384, .nb_passes = 3, .nb_lanes = 1 };
    crypto_argon2_inputs inputs = { .pass = (const uint8_t *)secret, .salt = salt, .pass_size = (uint32_t)strlen(secret), .salt_size = 16 };
    crypto_argon2_extras extras = { 0 };
    void *work = malloc(16384*1024);
    crypto_argon2(key, 32, work, config, inputs, extras);
    free(work);
}

// Compresses, then encrypts. Returns new memory.
static unsigned char *pack_block(unsigned char *block, int size, const unsigned int *props, rresResourceChunkInfo *info)
{
    unsigned char *packed = NULL;
    int packedSize = size;
    const bool image = memcmp(info->type, "IMGE", 4) == 0;
    int wanted = (compression == RRES_COMP_QOI && !image)? RRES_COMP_DEFLATE : compression;
    if (wanted == RRES_COMP_QOI)
    {
        // As rrespacker: the last 20 bytes of the block do not fit the image.
        qoi_desc desc = { .width = props[0], .height = props[1], .channels = (props[2] == RRES_PIXELFORMAT_UNCOMP_R8G8B8)? 3 : 4 };
        if ((unsigned int)size < desc.width*desc.height*desc.channels + 20) wanted = RRES_COMP_DEFLATE;
        else packed = qoi_encode(block, &desc, &packedSize);
    }
    if (wanted == RRES_COMP_DEFLATE) packed = CompressData(block, size, &packedSize);
    else if (wanted == RRES_COMP_LZ4)
    {
        packed = malloc(LZ4_compressBound(size));
        packedSize = LZ4_compress_default((const char *)block, (char *)packed, size, LZ4_compressBound(size));
    }
    else if (wanted == RRES_COMP_NONE)
    {
        packed = malloc(size);
        memcpy(packed, block, size);
    }
    info->compType = wanted;
    info->cipherType = cipher;
    unsigned char salt[16], nonce[24], key[32];
    for (int i = 0; i < 16; i++) salt[i] = (unsigned char)(written*37 + i*11 + 5);
    for (int i = 0; i < 24; i++) nonce[i] = (unsigned char)(written*53 + i*7 + 3);
    unsigned char *stored = malloc(packedSize + 56);
    memcpy(stored, packed, packedSize);
    if (cipher == RRES_CIPHER_AES)
    {
        make_key(key, salt);
        const unsigned int *md5 = ComputeMD5(packed, packedSize);
        memcpy(stored + packedSize, salt, 16);
        memcpy(stored + packedSize + 16, md5, 16);
        struct AES_ctx ctx = { 0 };
        AES_init_ctx(&ctx, key);
        AES_CTR_xcrypt_buffer(&ctx, stored, packedSize);
        packedSize += 32;
    }
    else if (cipher == RRES_CIPHER_XCHACHA20_POLY1305)
    {
        unsigned char mac[16];
        make_key(key, salt);
        crypto_aead_lock(stored, mac, key, nonce, NULL, 0, packed, packedSize);
        memcpy(stored + packedSize, salt, 16);
        memcpy(stored + packedSize + 16, nonce, 24);
        memcpy(stored + packedSize + 40, mac, 16);
        packedSize += 56;
    }
    free(packed);
    info->packedSize = packedSize;
    return stored;
}

static void add(const char *name, int number, const char *kind, const unsigned int props[4], const void *data, int size, bool linked)
{
    rresResourceChunkInfo info = { 0 };
    memcpy(info.type, kind, 4);
    info.id = rresComputeCRC32((const unsigned char *)name, (int)strlen(name));
    unsigned char *block = malloc(size + 20);
    const unsigned int count = 4;
    memcpy(block, &count, 4);
    memcpy(block + 4, props, 16);
    memcpy(block + 20, data, size);
    unsigned char *stored = pack_block(block, size + 20, props, &info);
    info.baseSize = size + 20;
    const long offset = ftell(out);
    info.nextOffset = linked? (unsigned int)(offset + 32 + info.packedSize) : 0;
    info.crc32 = rresComputeCRC32(stored, info.packedSize);
    fwrite(&info, sizeof info, 1, out);
    fwrite(stored, 1, info.packedSize, out);
    if (number == 0)
    {
        const unsigned int n = (unsigned int)strlen(name) + 1, field = n + 4 - n%4;
        const unsigned int entry[4] = { info.id, (unsigned int)offset, 0, field };
        memcpy(central + centralSize, entry, 16);
        memcpy(central + centralSize + 16, name, n);
        centralSize += 16 + field;
        centralCount++;
    }
    char numbers[200];
    snprintf(numbers, sizeof numbers, "%u,%u,%u,%u", props[0], props[1], props[2], props[3]);
    row(name, number, info.type, (info.compType == RRES_COMP_QOI)? "tail" : "ok", numbers, data, size);
    free(block);
    free(stored);
    written++;
}

static int write_pack(const char *pack)
{
    out = fopen(pack, "wb");
    if (out == NULL) die(pack);
    rresFileHeader header = { .id = { 'r', 'r', 'e', 's' }, .version = 100 };
    fwrite(&header, sizeof header, 1, out);
    static unsigned char bytes[40000];
    for (int i = 0; i < (int)sizeof bytes; i++) bytes[i] = (unsigned char)((i*i >> 7) ^ (i/300));
    const unsigned int dot = 0x2e62696e;    // .bin
    add("blob.bin", 0, "RAWD", (unsigned int[4]){ 5000, dot, 0, 0 }, bytes, 5000, false);
    // The atlas of 64 x 32 pixels of two bytes, with two glyphs.
    const int glyphs[16] = { 1, 1, 7, 9, 65, 0, 2, 8, 10, 1, 6, 9, 66, -1, 2, 7 };
    add("font.ttf", 0, "FNTG", (unsigned int[4]){ 16, 2, 1, 1 }, glyphs, 64, true);
    add("font.ttf", 1, "IMGE", (unsigned int[4]){ 64, 32, RRES_PIXELFORMAT_UNCOMP_GRAY_ALPHA, 1 }, bytes, 64*32*2, false);
    float vertices[12];
    for (int i = 0; i < 12; i++) vertices[i] = (float)i/7.0f;
    const unsigned short indices[6] = { 0, 1, 2, 2, 1, 3 };
    add("mesh.obj", 0, "VRTX", (unsigned int[4]){ 4, RRES_VERTEX_ATTRIBUTE_POSITION, 3, RRES_VERTEX_FORMAT_FLOAT }, vertices, 48, true);
    add("mesh.obj", 1, "VRTX", (unsigned int[4]){ 4, RRES_VERTEX_ATTRIBUTE_COLOR, 4, RRES_VERTEX_FORMAT_UBYTE }, bytes, 16, true);
    add("mesh.obj", 2, "VRTX", (unsigned int[4]){ 6, RRES_VERTEX_ATTRIBUTE_INDEX, 1, RRES_VERTEX_FORMAT_USHORT }, indices, 12, false);
    add("rgb.png", 0, "IMGE", (unsigned int[4]){ 50, 40, RRES_PIXELFORMAT_UNCOMP_R8G8B8, 1 }, bytes, 50*40*3, false);
    add("rgba.png", 0, "IMGE", (unsigned int[4]){ 40, 33, RRES_PIXELFORMAT_UNCOMP_R8G8B8A8, 1 }, bytes, 40*33*4, false);
    const char text[] = "The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog.\n";
    add("story.txt", 0, "TEXT", (unsigned int[4]){ sizeof text - 1, RRES_TEXT_ENCODING_UTF8, 0, 0x0409 }, text, sizeof text - 1, false);
    add("tone.wav", 0, "WAVE", (unsigned int[4]){ 4000, 8000, 16, 2 }, bytes, 16000, false);
    header.chunkCount = (unsigned short)written;
    header.cdOffset = (unsigned int)ftell(out) - sizeof header;
    rresResourceChunkInfo info = { .type = { 'C', 'D', 'I', 'R' } };
    static unsigned char block[sizeof central + 8];
    const unsigned int head[2] = { 1, centralCount };
    memcpy(block, head, 8);
    memcpy(block + 8, central, centralSize);
    info.packedSize = info.baseSize = centralSize + 8;
    info.crc32 = rresComputeCRC32(block, info.packedSize);
    fwrite(&info, sizeof info, 1, out);
    fwrite(block, 1, info.packedSize, out);
    rewind(out);
    fwrite(&header, sizeof header, 1, out);
    return fclose(out);
}

int main(int argc, char **argv)
{
    const bool reading = (argc == 5) && (strcmp(argv[1], "read") == 0);
    if (!reading && ((argc != 7) || (strcmp(argv[1], "write") != 0))) die("expected `read PACK DIR PASSWORD` or `write PACK DIR PASSWORD CIPHER COMPRESSION`");
    SetTraceLogLevel(LOG_ERROR);
    dir = argv[3];
    secret = argv[4];
    char path[4096];
    snprintf(path, sizeof path, "%s/rows.tsv", dir);
    rows = fopen(path, "w");
    if (rows == NULL) die(path);
    rresSetCipherPassword(secret);
    if (!reading)
    {
        cipher = atoi(argv[5]);
        compression = atoi(argv[6]);
        return write_pack(argv[2]) | fclose(rows);
    }
    // Fonts need a texture.
    InitWindow(64, 64, "driver");
    const int result = read_pack(argv[2]);
    CloseWindow();
    return result | fclose(rows);
}
