// What malloc() knows of the memory that it gave out.
#pragma once

#include <malloc.h>
