// Includes the whole library.
#pragma once

#include "slotcar/client.h"
#include "slotcar/commands.h"
#include "slotcar/redis.h"
#include "slotcar/subscriber.h"
#include "slotcar/task.h"
#include "slotcar/transaction.h"
#include "slotcar/when.h"
