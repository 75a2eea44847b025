// The system's C library under one name, so that another library is a change of one place. Everything above imports
// this module, not the library itself.

#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  // Compiles as far as the toolchain has Musl; nothing has been run with it.
  @_exported public import Musl
#else
  #error("OpenRealm needs the C library of Linux: glibc")
#endif
