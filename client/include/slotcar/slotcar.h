// Includes the whole library, but for asio.h.
#pragma once

#include "slotcar/cache.h"
#include "slotcar/client.h"
#include "slotcar/event_queue.h"
#include "slotcar/lock.h"
#include "slotcar/rate_limiter.h"
#include "slotcar/redis.h"
#include "slotcar/scan.h"
#include "slotcar/script.h"
#include "slotcar/stream_reader.h"
#include "slotcar/subscriber.h"
#include "slotcar/task.h"
#include "slotcar/transaction.h"
#include "slotcar/when.h"
#include "slotcar/work_queue.h"
