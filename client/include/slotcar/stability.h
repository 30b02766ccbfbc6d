// What a program may rely on from one version to the next. Versions are MAJOR.MINOR.PATCH; programs
// that use only the stable part compile with all versions of one MAJOR number, which is 0 until the
// first release: until then MINOR is what counts.
//
//   stable        client.h (Client), options.h (names and defaults), request.h, reply.h, error.h,
//                 pending.h (the four ways to wait), redis.h, redis_error.h, commands/ (names and
//                 types of calls; new optional members come at the end of their struct's words),
//                 transaction.h, subscriber.h, task.h, hash_fields.h
//   may change    when.h, scan.h, stream_reader.h, cache.h, script.h, lock.h, rate_limiter.h,
//                 work_queue.h, event_queue.h, asio.h, pipeline.h, strategy.h (classes of your own)
//   not for users every namespace `detail`, and what is only needed by it
//
// There is no stable binary interface: the library is a static archive, built with your compiler.
#pragma once

#define SLOTCAR_CLIENT_VERSION_MAJOR 0
#define SLOTCAR_CLIENT_VERSION_MINOR 1
