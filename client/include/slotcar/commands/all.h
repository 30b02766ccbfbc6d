// All typed calls. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/bitmap.h"
#include "slotcar/commands/bloom.h"
#include "slotcar/commands/cluster.h"
#include "slotcar/commands/connection.h"
#include "slotcar/commands/generic.h"
#include "slotcar/commands/geo.h"
#include "slotcar/commands/hash.h"
#include "slotcar/commands/hyperloglog.h"
#include "slotcar/commands/list.h"
#include "slotcar/commands/pubsub.h"
#include "slotcar/commands/scripting.h"
#include "slotcar/commands/server.h"
#include "slotcar/commands/set.h"
#include "slotcar/commands/sorted_set.h"
#include "slotcar/commands/stream.h"
#include "slotcar/commands/string.h"
#include "slotcar/commands/transactions.h"

namespace slotcar::client::commands {
template <class Self>
class AllCommands : public BitmapCommands<Self>,
                    public BloomCommands<Self>,
                    public ClusterCommands<Self>,
                    public ConnectionCommands<Self>,
                    public GenericCommands<Self>,
                    public GeoCommands<Self>,
                    public HashCommands<Self>,
                    public HyperloglogCommands<Self>,
                    public ListCommands<Self>,
                    public PubsubCommands<Self>,
                    public ScriptingCommands<Self>,
                    public ServerCommands<Self>,
                    public SetCommands<Self>,
                    public SortedSetCommands<Self>,
                    public StreamCommands<Self>,
                    public StringCommands<Self>,
                    public TransactionsCommands<Self> {};
}  // namespace slotcar::client::commands
