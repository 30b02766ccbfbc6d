// Shared tables: those that every script sees (the globals, the libraries), which no script may
// change. Lua 5.1 has no read-only tables, so what a script gets is an empty table whose metatable
// leads reads to the hidden table with the contents and answers writes with an error. A write can
// go past a metatable only through rawset, setmetatable and table.insert; those are ours and ask
// `is_shared`.
#pragma once

#include "scripting/lua.h"

namespace slotcar::scripting {

// Replaces the table on top of the stack by a shared one with its contents. From then on only code
// that has kept the contents (contents_of) can change them.
void share_table(lua_State* lua);
// Gives the shared table at `index` other contents: the table on top of the stack, which is taken
// off.
void set_contents(lua_State* lua, int index);
bool is_shared(lua_State* lua, int index);
// Pushes the contents of a shared table, or pushes nothing and says no.
bool contents_of(lua_State* lua, int index);

// What Redis says when a script writes to such a table: by assignment, with script and line, ...
int raise_readonly(lua_State* lua);
// ... and through a function.
int raise_readonly_bare(lua_State* lua);

}  // namespace slotcar::scripting
