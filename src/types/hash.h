#pragma once
#include "types/cell.h"
