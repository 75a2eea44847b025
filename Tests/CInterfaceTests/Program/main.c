// Tests of the C interface in C. `CInterfaceProgram NAME FOLDER` runs one test, `CInterfaceProgram --list` prints all names.
#include <stdio.h>

#include "openrealm.h"

int main(int argc, char **argv) {
  (void)argc;
  (void)argv;
  puts(openrealm_version());
  return 0;
}
