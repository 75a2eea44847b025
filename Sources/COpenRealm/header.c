// SwiftPM needs a source; it also checks that the header compiles alone.
#include "openrealm.h"
