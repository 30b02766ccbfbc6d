// The text of a topology, as a file has it: docs/formats/topology.md. Written by topology_writer.h,
// read by topology_reader.h.
#pragma once

#include <string_view>

namespace slotcar::cluster::format {

inline constexpr std::string_view kHeader = "slotcar-topology 1";  // the first line

// What a line begins with.
inline constexpr std::string_view kEpoch = "epoch";  // epoch N
inline constexpr std::string_view kNode = "node";    // node ID ATTRIBUTE=VALUE ...
inline constexpr std::string_view kSlots = "slots";  // slots ID RANGE ...
inline constexpr std::string_view kMove = "move";    // move RANGE ID
inline constexpr std::string_view kFence = "fence";  // fence ID RANGE ...
inline constexpr std::string_view kEnd = "end";      // the last line: nothing was cut off

// Attributes of a node.
inline constexpr std::string_view kIp = "ip";
inline constexpr std::string_view kPort = "port";
inline constexpr std::string_view kTlsPort = "tls-port";
inline constexpr std::string_view kHostname = "hostname";
inline constexpr std::string_view kName = "name";
inline constexpr std::string_view kReplicaOf = "replica-of";
inline constexpr std::string_view kConfigEpoch = "epoch";

}  // namespace slotcar::cluster::format
