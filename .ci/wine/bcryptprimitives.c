/* What Rust's standard library imports from bcryptprimitives.dll, which Wine has from version 9 on. `.ci/windows` compiles it. */
#include <windows.h>

/* Of advapi32; its name in the documentation is RtlGenRandom. */
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG size);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T size) {
  while (size > 0) {
    ULONG part = size < 1 << 20 ? (ULONG)size : 1 << 20;
    if (!SystemFunction036(buffer, part)) return FALSE;
    buffer += part;
    size -= part;
  }
  return TRUE;
}
